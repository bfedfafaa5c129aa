/*
 * What the sanitizers cannot see by themselves, where the library is built with them. Memory that
 * is kept for later must not be touched until then: else a use after the release would pass for a
 * right one. And memory that is left to a driver on purpose is no leak.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#ifdef __has_feature /* clang's word for what gcc has a macro for */
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
