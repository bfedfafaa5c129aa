/*
 * Functions that other packages call back, also while a Python error is pending, as when an
 * exception drops the last reference of a capsule. Python code would lose that error, so these are
 * C. Python's own functions are those of its stable ABI, which every process that runs Python has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dlpack_abi.h"

typedef struct _object PyObject;

int Py_IsInitialized(void);
int PyGILState_Ensure(void); /* an enum of two */
void PyGILState_Release(int state);
void Py_DecRef(PyObject *object);
int PyCapsule_IsValid(PyObject *capsule, const char *name);
void *PyCapsule_GetPointer(PyObject *capsule, const char *name);

/* The deleters of DLManagedTensor and DLManagedTensorVersioned, whose manager_ctx is a Python
 * object that keeps the struct and the array. Called with or without the GIL, on any thread. */
CLRS_API void clreshape_end(struct DLManagedTensor *managed);
CLRS_API void clreshape_end_versioned(struct DLManagedTensorVersioned *managed);
/* The destructor of a capsule: a tensor that nobody has taken goes with its capsule. */
CLRS_API void clreshape_end_capsule(PyObject *capsule);

static void drop(PyObject *kept) {
  if (Py_IsInitialized()) { /* else the objects are gone */
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
