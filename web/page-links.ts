export type Link = HTMLAnchorElement | HTMLAreaElement

/** @param attribute that it has */
export function isLink(target: EventTarget, attribute: 'href' | 'download'): target is Link {
  const isLink = target instanceof HTMLAnchorElement || target instanceof HTMLAreaElement
  return isLink && target.hasAttribute(attribute)
}

/** Whether it is shown as HTML, by its extension: the response's type is not known yet. */
export function isDocument({ pathname }: URL): boolean {
  return /(?:\.x?html?|\/[^./]*)$/i.test(pathname)
}

export function withoutHash(address: string): string {
  return address.replace(/#.*/s, '')
}
