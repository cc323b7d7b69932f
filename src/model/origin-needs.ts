/**
 * What content does that works whole only at the root of a host of its own: it names its files by
 * addresses from the root, routes by the path of its address, starts workers from its files, stores
 * data in the browser, or talks to a window that it has opened.
 */
export const ORIGIN_NEEDS = ['root_paths', 'router', 'worker', 'storage', 'window'] as const
export type OriginNeed = (typeof ORIGIN_NEEDS)[number]
