/*
 * Functions that other packages call back, also while a Python error is pending, for example when
 * an exception drops the last reference of a capsule. Python code would lose the pending error, so
 * the functions are in C. Only functions of Python's stable ABI are used, which every process that
 * runs Python has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dlpack_abi.h"

typedef struct _object PyObject;

int Py_IsInitialized(void);
int PyGILState_Ensure(void); /* the result is an enum of two values */
void PyGILState_Release(int state);
void Py_DecRef(PyObject *object);
int PyCapsule_IsValid(PyObject *capsule, const char *name);
void *PyCapsule_GetPointer(PyObject *capsule, const char *name);

/* The deleters of DLManagedTensor and DLManagedTensorVersioned. manager_ctx is a Python object that
 * keeps the struct and the array. Deleters are called with or without the GIL, on any thread. */
CLRS_API void clreshape_end(struct DLManagedTensor *managed);
CLRS_API void clreshape_end_versioned(struct DLManagedTensorVersioned *managed);
/* The destructor of a capsule. A tensor that nobody has taken is released with the capsule. */
CLRS_API void clreshape_end_capsule(PyObject *capsule);

static void drop(PyObject *kept) {
  if (Py_IsInitialized()) { /* otherwise the objects are gone */
    const int state = PyGILState_Ensure();
    Py_DecRef(kept);
    PyGILState_Release(state);
  }
}

void clreshape_end(struct DLManagedTensor *managed) {
  drop(managed->manager_ctx);
}

void clreshape_end_versioned(struct DLManagedTensorVersioned *managed) {
  drop(managed->manager_ctx);
}

void clreshape_end_capsule(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    struct DLManagedTensor *managed = PyCapsule_GetPointer(capsule, "dltensor");
    managed->deleter(managed);
  } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    struct DLManagedTensorVersioned *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    managed->deleter(managed);
  }
}
