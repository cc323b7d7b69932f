/**
 * Features of content that work completely only at the root of a host of its own: addresses of
 * files from the root, routing by path, workers from its files, storage in the browser, or messages
 * to a window that it has opened.
 */
export const ORIGIN_NEEDS = ['root_paths', 'router', 'worker', 'storage', 'window'] as const
export type OriginNeed = (typeof ORIGIN_NEEDS)[number]
