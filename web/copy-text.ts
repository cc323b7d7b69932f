/**
 * Copies a text to the clipboard. Browsers offer pages the clipboard API over TLS and on
 * localhost alone, so a server in a local network needs the old command.
 *
 * @throws if the browser refuses
 */
export async function copyText(source: string | Promise<string>): Promise<void> {
  if (navigator.clipboard !== undefined) {
    if (typeof source === 'string') return navigator.clipboard.writeText(source)
    // Safari takes what is still to come only where the press gave it the promise.
    const blob = source.then((text) => new Blob([text], { type: 'text/plain' }))
    return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  }
  const text = await source
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  Object.assign(field.style, { position: 'fixed', top: '0', width: '1px', opacity: '0' })
  // In an open dialog, elements outside of it cannot be focused.
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error('The browser refused to copy')
}
