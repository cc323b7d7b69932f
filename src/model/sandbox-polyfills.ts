/**
 * Features that the sandbox breaks and a script of ours restores: workers from the page's files,
 * parts of its SVG files that `<use>` names, images whose pixels scripts read, and links with
 * `download`. Each script is only in the documents that need it.
 */
export const SANDBOX_POLYFILLS = ['workers', 'sprites', 'images', 'downloads'] as const
export type SandboxPolyfill = (typeof SANDBOX_POLYFILLS)[number]

/** The query parameter that requests a file as an attachment with this name. */
export const DOWNLOAD_PARAMETER = '~download'

/**
 * The value of `crossorigin` that publishing adds to the page's own images. Browsers read it as
 * `anonymous`. Our script recognises by it that the page has not written it, and removes it from
 * images of other hosts.
 */
export const OWN_CROSSORIGIN = 'own'

/** The prefix of the `href` attribute of a `<use>` that our script shows. */
export const OWN_USE_PREFIX = 'data-own-'
