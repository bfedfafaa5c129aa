/*
 * Tells the sanitizers, in a build with sanitizers, what the sanitizers cannot see. Memory that is
 * kept for later must not be touched until reuse. Without the mark, a use after release would go
 * unnoticed. Memory that is left to a driver on purpose is marked as no leak.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#ifdef __has_feature /* clang's test, for which gcc has a macro */
#if __has_feature(address_sanitizer)
#define CLRS__HAS_ADDRESS_SANITIZER
#endif
#elif defined __SANITIZE_ADDRESS__
#define CLRS__HAS_ADDRESS_SANITIZER
#endif

#ifdef CLRS__HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#define CLRS__POISON(object) ASAN_POISON_MEMORY_REGION(object, sizeof *(object))
#define CLRS__UNPOISON(object) ASAN_UNPOISON_MEMORY_REGION(object, sizeof *(object))
#define CLRS__ABANDON(object) __lsan_ignore_object(object)
#else
#define CLRS__POISON(object) ((void)(object))
#define CLRS__UNPOISON(object) ((void)(object))
#define CLRS__ABANDON(object) ((void)(object))
#endif
