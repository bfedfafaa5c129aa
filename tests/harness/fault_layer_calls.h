/*
 * The OpenCL calls that the fault layer knows, as a table. Each user includes the table once, and
 * defines the macros STATUS, CREATE, RETAIN, RELEASE, COMMAND and BLOCKING_COMMAND to expand a row.
 *
 * STATUS(name, parameters, arguments)                 may fail, makes nothing
 * CREATE(kind, type, name, parameters, arguments)     makes an object, last parameter `code`
 * RETAIN(kind, type, name), RELEASE(kind, type, name) take and give back a reference
 * COMMAND(name, parameters, arguments)                goes to `queue`, waits for `wait_list`, may
 *                                                     give an `event`
 * BLOCKING_COMMAND(name, parameters, arguments)       the same, and has a parameter `blocking`
 *
 * clSetUserEventStatus is known but has no row: if the call failed, commands would wait for ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#define INFO_PARAMETERS(type, kind) (type object, kind name, size_t size, void *value, size_t *got)
#define INFO_ARGUMENTS (object, name, size, value, got)
#define WAIT_PARAMETERS cl_uint waits, const cl_event *wait_list, cl_event *event
#define WAIT_ARGUMENTS waits, wait_list, event

/* clang-format off */
STATUS(clGetPlatformIDs, (cl_uint room, cl_platform_id *ids, cl_uint *got), (room, ids, got))
STATUS(clGetDeviceIDs,
       (cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *ids, cl_uint *got),
       (platform, type, room, ids, got))
STATUS(clGetPlatformInfo, INFO_PARAMETERS(cl_platform_id, cl_platform_info), INFO_ARGUMENTS)
STATUS(clGetDeviceInfo, INFO_PARAMETERS(cl_device_id, cl_device_info), INFO_ARGUMENTS)
STATUS(clGetContextInfo, INFO_PARAMETERS(cl_context, cl_context_info), INFO_ARGUMENTS)
STATUS(clGetCommandQueueInfo, INFO_PARAMETERS(cl_command_queue, cl_command_queue_info), INFO_ARGUMENTS)
STATUS(clGetMemObjectInfo, INFO_PARAMETERS(cl_mem, cl_mem_info), INFO_ARGUMENTS)
STATUS(clGetKernelInfo, INFO_PARAMETERS(cl_kernel, cl_kernel_info), INFO_ARGUMENTS)
STATUS(clGetEventInfo, INFO_PARAMETERS(cl_event, cl_event_info), INFO_ARGUMENTS)
STATUS(clGetEventProfilingInfo, INFO_PARAMETERS(cl_event, cl_profiling_info), INFO_ARGUMENTS)
STATUS(clGetKernelWorkGroupInfo,
       (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name, size_t size, void *value,
        size_t *got),
       (kernel, device, name, size, value, got))
STATUS(clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))
STATUS(clFlush, (cl_command_queue queue), (queue))
STATUS(clFinish, (cl_command_queue queue), (queue))
STATUS(clSetEventCallback,
       (cl_event event, cl_int when, void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user_data),
       (event, when, notify, user_data))
STATUS(clSetMemObjectDestructorCallback,
       (cl_mem buffer, void(CL_CALLBACK *notify)(cl_mem, void *), void *user_data),
       (buffer, notify, user_data))

CREATE(CONTEXT, cl_context, clCreateContext,
       (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data, cl_int *code),
       (properties, count, devices, notify, user_data, code))
CREATE(QUEUE, cl_command_queue, clCreateCommandQueue,
       (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code),
       (context, device, properties, code))
CREATE(QUEUE, cl_command_queue, clCreateCommandQueueWithProperties,
       (cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *code),
       (context, device, properties, code))
CREATE(MEM, cl_mem, clCreateSubBuffer,
       (cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *code),
       (parent, flags, type, info, code))
CREATE(MEM, cl_mem, clCreateImage,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
        void *host, cl_int *code),
       (context, flags, format, desc, host, code))
CREATE(PROGRAM, cl_program, clCreateProgramWithSource,
       (cl_context context, cl_uint texts, const char **text, const size_t *lengths, cl_int *code),
       (context, texts, text, lengths, code))
CREATE(PROGRAM, cl_program, clCreateProgramWithBinary,
       (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
        const unsigned char **binaries, cl_int *statuses, cl_int *code),
       (context, count, devices, lengths, binaries, statuses, code))
CREATE(KERNEL, cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *code),
       (program, name, code))
CREATE(EVENT, cl_event, clCreateUserEvent, (cl_context context, cl_int *code), (context, code))

RETAIN(CONTEXT, cl_context, clRetainContext)
RETAIN(QUEUE, cl_command_queue, clRetainCommandQueue)
RETAIN(MEM, cl_mem, clRetainMemObject)
RETAIN(PROGRAM, cl_program, clRetainProgram)
RETAIN(KERNEL, cl_kernel, clRetainKernel)
RETAIN(EVENT, cl_event, clRetainEvent)
RELEASE(CONTEXT, cl_context, clReleaseContext)
RELEASE(QUEUE, cl_command_queue, clReleaseCommandQueue)
RELEASE(MEM, cl_mem, clReleaseMemObject)
RELEASE(PROGRAM, cl_program, clReleaseProgram)
RELEASE(KERNEL, cl_kernel, clReleaseKernel)
RELEASE(EVENT, cl_event, clReleaseEvent)

COMMAND(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset, const size_t *global,
         const size_t *local, WAIT_PARAMETERS),
        (queue, kernel, dims, offset, global, local, WAIT_ARGUMENTS))
COMMAND(clEnqueueMarkerWithWaitList, (cl_command_queue queue, WAIT_PARAMETERS), (queue, WAIT_ARGUMENTS))
COMMAND(clEnqueueBarrierWithWaitList, (cl_command_queue queue, WAIT_PARAMETERS), (queue, WAIT_ARGUMENTS))
COMMAND(clEnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem source, cl_mem destination, size_t from, size_t to, size_t size,
         WAIT_PARAMETERS),
        (queue, source, destination, from, to, size, WAIT_ARGUMENTS))
COMMAND(clEnqueueCopyBufferRect,
        (cl_command_queue queue, cl_mem source, cl_mem destination, const size_t *from, const size_t *to,
         const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice,
         WAIT_PARAMETERS),
        (queue, source, destination, from, to, region, from_row, from_slice, to_row, to_slice,
         WAIT_ARGUMENTS))
COMMAND(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
         size_t size, WAIT_PARAMETERS),
        (queue, buffer, pattern, pattern_size, offset, size, WAIT_ARGUMENTS))
COMMAND(clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem buffer, void *mapped, WAIT_PARAMETERS),
        (queue, buffer, mapped, WAIT_ARGUMENTS))
BLOCKING_COMMAND(clEnqueueReadBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *to,
         WAIT_PARAMETERS),
        (queue, buffer, blocking, offset, size, to, WAIT_ARGUMENTS))
BLOCKING_COMMAND(clEnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
         const void *from, WAIT_PARAMETERS),
        (queue, buffer, blocking, offset, size, from, WAIT_ARGUMENTS))
/* clang-format on */

#undef INFO_PARAMETERS
#undef INFO_ARGUMENTS
#undef WAIT_PARAMETERS
#undef WAIT_ARGUMENTS
