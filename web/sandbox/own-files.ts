const [path] = /^\/p\/[^/]+\/(?:~[^/]+\/)?/.exec(location.pathname) ?? []

/**
 * The address that the page's own files are below: `/p/{slug}/`, in a frame with its token. Null
 * for a document that is none of them.
 */
export const OWN_FILES = path === undefined ? null : location.origin + path

/** Changes the markup that scripts set as `innerHTML`. */
export function patchInnerHtml(change: (html: unknown) => unknown): void {
  const native = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')!
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...native,
    set(this: Element, html: unknown) {
      native.set!.call(this, change(html))
    },
  })
}
