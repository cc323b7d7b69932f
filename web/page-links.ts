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

/** Sets an attribute for this click or navigation alone: the page then finds its own again. */
export function setForNow(element: Element, name: string, value: string): void {
  const before = element.getAttribute(name)
  element.setAttribute(name, value)
  setTimeout(() => {
    if (element.getAttribute(name) !== value) return
    if (before === null) element.removeAttribute(name)
    else element.setAttribute(name, before)
  })
}

export function withoutHash(address: string): string {
  return address.replace(/#.*/s, '')
}
