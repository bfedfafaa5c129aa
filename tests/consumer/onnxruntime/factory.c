/*
 * The provider as a library: ONNX Runtime finds CreateEpFactories and ReleaseEpFactory by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "ep.h"

/* ---- the device ---- */

static void count_launch(void *factory, const clrs_launched *launched) {
  (void)launched;
  atomic_fetch_add(&((ep_factory *)factory)->launches, 1);
}

static cl_device_id first_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) {
    return NULL;
  }
  for (cl_uint i = 0; i < count && i < 16 && device == NULL; i++) {
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
      device = NULL;
    }
  }
  return device;
}

static OrtStatus *open_device(ep_factory *factory) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_error error;
  cl_int code = CL_SUCCESS;
  factory->device = first_device();
  if (factory->device == NULL) {
    return NULL;
  }
  factory->opencl = clCreateContext(NULL, 1, &factory->device, NULL, NULL, &code);
  if (code != CL_SUCCESS) {
    return factory->ort->CreateStatus(ORT_EP_FAIL, "clreshape: clCreateContext failed");
  }
  options.context = factory->opencl;
  options.device = factory->device;
  options.observer = (clrs_observer){factory, count_launch};
  return clrs_context_create(&options, &factory->context, &error) == CLRS_OK
             ? NULL
             : ep_fail(factory, "its context", &error);
}

/* ---- a session's provider ---- */

static const char *ORT_API_CALL provider_name(const OrtEp *provider) NO_EXCEPTION {
  (void)provider;
  return "clreshape";
}

static void ORT_API_CALL release_provider(OrtEpFactory *factory, OrtEp *base) NO_EXCEPTION {
  ep_provider *provider = (ep_provider *)base;
  (void)factory;
  if (provider != NULL && provider->queue != NULL) {
    clReleaseCommandQueue(provider->queue);
  }
  free(provider);
}

static OrtStatus *ORT_API_CALL create_provider(OrtEpFactory *base,
                                               const OrtHardwareDevice *const *devices,
                                               const OrtKeyValuePairs *const *metadata,
                                               size_t count, const OrtSessionOptions *options,
                                               const OrtLogger *logger,
                                               OrtEp **result) NO_EXCEPTION {
  ep_factory *factory = (ep_factory *)base;
  ep_provider *provider = calloc(1, sizeof *provider);
  cl_int code = CL_OUT_OF_HOST_MEMORY;
  (void)devices, (void)metadata, (void)count, (void)options, (void)logger;
  if (provider != NULL) {
    provider->queue = clCreateCommandQueue(factory->opencl, factory->device, 0, &code);
  }
  if (code != CL_SUCCESS) {
    release_provider(base, (OrtEp *)provider);
    return factory->ort->CreateStatus(ORT_EP_FAIL, "clreshape: no command queue for the session");
  }
  provider->factory = factory;
  provider->base.ort_version_supported = EP_ORT_VERSION;
  provider->base.GetName = provider_name;
  provider->base.GetCapability = ep_get_capability;
  provider->base.Compile = ep_compile;
  provider->base.ReleaseNodeComputeInfos = ep_release_infos;
  *result = &provider->base;
  return NULL;
}

/* ---- the factory ---- */

static const char *ORT_API_CALL name(const OrtEpFactory *factory) NO_EXCEPTION {
  (void)factory;
  return "clreshape";
}

static uint32_t ORT_API_CALL vendor_id(const OrtEpFactory *factory) NO_EXCEPTION {
  (void)factory;
  return 0; /* a PCI number, which does not exist here */
}

#define TEXT(word) #word
#define TEXT_OF(macro) TEXT(macro)

static const char *ORT_API_CALL version(const OrtEpFactory *factory) NO_EXCEPTION {
  (void)factory;
  return TEXT_OF(CLRS_VERSION_MAJOR) "." TEXT_OF(CLRS_VERSION_MINOR) "." TEXT_OF(
      CLRS_VERSION_PATCH);
}

/* The tensors are in host memory, so the provider offers itself for the CPU, whatever OpenCL's
 * device is. */
static OrtStatus *ORT_API_CALL supported_devices(OrtEpFactory *base,
                                                 const OrtHardwareDevice *const *devices,
                                                 size_t count, OrtEpDevice **offered, size_t max,
                                                 size_t *offered_count) NO_EXCEPTION {
  const ep_factory *factory = (const ep_factory *)base;
  *offered_count = 0;
  for (size_t i = 0; i < count && *offered_count < max && factory->device != NULL; i++) {
    if (factory->ort->HardwareDevice_Type(devices[i]) == OrtHardwareDeviceType_CPU) {
      EP_TRY(
          factory->ep_api->CreateEpDevice(base, devices[i], NULL, NULL, &offered[*offered_count]));
      ++*offered_count;
    }
  }
  return NULL;
}

/* ONNX Runtime calls these four functions without a check for NULL. */
static OrtStatus *ORT_API_CALL no_allocator(OrtEpFactory *factory, const OrtMemoryInfo *memory,
                                            const OrtKeyValuePairs *options,
                                            OrtAllocator **allocator) NO_EXCEPTION {
  (void)factory, (void)memory, (void)options;
  *allocator = NULL; /* the CPU's */
  return NULL;
}

static void ORT_API_CALL release_allocator(OrtEpFactory *factory,
                                           OrtAllocator *allocator) NO_EXCEPTION {
  (void)factory, (void)allocator;
}

static OrtStatus *ORT_API_CALL no_transfer(OrtEpFactory *factory,
                                           OrtDataTransferImpl **transfer) NO_EXCEPTION {
  (void)factory;
  *transfer = NULL;
  return NULL;
}

static bool ORT_API_CALL is_stream_aware(const OrtEpFactory *factory) NO_EXCEPTION {
  (void)factory;
  return false;
}

static const OrtEpFactory functions = {
    .ort_version_supported = EP_ORT_VERSION,
    .GetName = name,
    .GetVendor = name,
    .GetVendorId = vendor_id,
    .GetVersion = version,
    .GetSupportedDevices = supported_devices,
    .CreateEp = create_provider,
    .ReleaseEp = release_provider,
    .CreateAllocator = no_allocator,
    .ReleaseAllocator = release_allocator,
    .CreateDataTransfer = no_transfer,
    .IsStreamAware = is_stream_aware,
};

OrtStatus *ep_fail(const ep_factory *factory, const char *what, const clrs_error *error) {
  char message[sizeof error->message + 256];
  OrtErrorCode code = ORT_INVALID_ARGUMENT;
  if (error->status == CLRS_OPENCL_ERROR || error->status == CLRS_BUILD_FAILURE ||
      error->status == CLRS_OUT_OF_MEMORY) {
    code = ORT_EP_FAIL;
  } else if (error->status == CLRS_UNSUPPORTED || error->status == CLRS_LIMIT_EXCEEDED) {
    code = ORT_NOT_IMPLEMENTED;
  }
  snprintf(message, sizeof message, "clreshape: %s: %s", what, error->message);
  return factory->ort->CreateStatus(code, message);
}

OrtStatus *ReleaseEpFactory(OrtEpFactory *base);
OrtStatus *CreateEpFactories(const char *registered, const OrtApiBase *base,
                             const OrtLogger *logger, OrtEpFactory **factories, size_t max,
                             size_t *count);

OrtStatus *ReleaseEpFactory(OrtEpFactory *base) {
  ep_factory *factory = (ep_factory *)base;
  char said[96];
  OrtStatus *status;
  snprintf(said, sizeof said, "clreshape: %zu runs of fused nodes, %zu launches",
           atomic_load(&factory->runs), atomic_load(&factory->launches));
  status = factory->ort->Logger_LogMessage(factory->logger, ORT_LOGGING_LEVEL_INFO, said, __FILE__,
                                           __LINE__, __func__);
  clrs_context_release(factory->context);
  if (factory->opencl != NULL) {
    clReleaseContext(factory->opencl);
  }
  free(factory);
  return status;
}

OrtStatus *CreateEpFactories(const char *registered, const OrtApiBase *base,
                             const OrtLogger *logger, OrtEpFactory **factories, size_t max,
                             size_t *count) {
  const OrtApi *ort = base->GetApi(EP_ORT_VERSION);
  ep_factory *factory;
  (void)registered;
  if (ort == NULL) {
    return base->GetApi(1)->CreateStatus(ORT_NOT_IMPLEMENTED,
                                         "clreshape: this ONNX Runtime is older than its provider");
  }
  factory = max > 0 ? calloc(1, sizeof *factory) : NULL;
  if (factory == NULL) {
    return ort->CreateStatus(ORT_FAIL, "clreshape: no memory for its factory");
  }
  factory->base = functions;
  factory->ort = ort;
  factory->ep_api = ort->GetEpApi();
  factory->logger = logger;
  OrtStatus *status = open_device(factory);
  if (status != NULL) {
    OrtStatus *of_release = ReleaseEpFactory(&factory->base);
    ort->ReleaseStatus(of_release);
    return status;
  }
  factories[0] = &factory->base;
  *count = 1;
  return NULL;
}
