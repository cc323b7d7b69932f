/**
 * What a script of ours mends in a page that runs in the sandbox: workers from the page's files,
 * and parts of its SVG files that `<use>` names. Each is in the documents that need it alone.
 */
export const SANDBOX_MENDS = ['workers', 'sprites'] as const
export type SandboxMend = (typeof SANDBOX_MENDS)[number]

/** What stands before the name of a `<use>`'s `href` that our script shows. */
export const OWN_USE_PREFIX = 'data-own-'
