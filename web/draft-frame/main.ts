import { startEditing } from './editing.ts'

/**
 * Shows what is typed in the editor and not saved yet. It writes only what a parent of our origin
 * sends: opened by itself, or framed by another site, it stays empty.
 */
if (parent !== window) {
  addEventListener('message', function write({ source, origin, data, ports }) {
    if (source !== parent || origin !== location.origin) return
    if (typeof data?.html !== 'string') return
    removeEventListener('message', write)
    // The position before the text changed; the current one is reported.
    const scroll = () => scrollTo(0, Number(data.scroll) || 0)
    document.open()
    // Before the scripts of the page: it gets no press that is meant for its text.
    if (ports[0] !== undefined) startEditing(ports[0])
    document.write(data.html)
    document.close()
    scroll()
    addEventListener('load', scroll, { once: true })
    addEventListener('scroll', () => parent.postMessage({ scroll: scrollY }, '*'))
  })
  parent.postMessage({ ready: true }, '*')
}
