/*
 * Memory that is kept for later must not be touched until then. AddressSanitizer, where the library
 * is built with it, is told so; else it would take a use after the release for a right one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_POISON_H
#define CLRS_POISON_H

#ifdef __has_feature /* clang's word for what gcc has a macro for */
#if __has_feature(address_sanitizer)
#define CLRS__HAS_ADDRESS_SANITIZER
#endif
#elif defined __SANITIZE_ADDRESS__
#define CLRS__HAS_ADDRESS_SANITIZER
#endif

#ifdef CLRS__HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#define CLRS__POISON(object) ASAN_POISON_MEMORY_REGION(object, sizeof *(object))
#define CLRS__UNPOISON(object) ASAN_UNPOISON_MEMORY_REGION(object, sizeof *(object))
#else
#define CLRS__POISON(object) ((void)(object))
#define CLRS__UNPOISON(object) ((void)(object))
#endif

#endif
