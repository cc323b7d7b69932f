/**
 * What a script of ours mends in a page that runs in the sandbox: workers from the page's files,
 * parts of its SVG files that `<use>` names, images whose pixels scripts read, and links with
 * `download`. Each is in the documents that need it alone.
 */
export const SANDBOX_MENDS = ['workers', 'sprites', 'images', 'downloads'] as const
export type SandboxMend = (typeof SANDBOX_MENDS)[number]

/** The parameter by which the address of a file asks for it as an attachment, of this name. */
export const DOWNLOAD_PARAMETER = '~download'

/**
 * The value of `crossorigin` that an own image is given: browsers take it for `anonymous`, and our
 * script knows by it what the page has not written, which an image of another host must not have.
 */
export const OWN_CROSSORIGIN = 'own'

/** What stands before the name of a `<use>`'s `href` that our script shows. */
export const OWN_USE_PREFIX = 'data-own-'
