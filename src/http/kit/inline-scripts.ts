import type { Assets } from './assets.ts'

/** Built scripts as text, to write into documents. */
export interface InlineScripts {
  text(name: string): Promise<string>
}

/**
 * Reads each built script once. Documents contain them because a sandboxed page shares no HTTP
 * cache with other pages: it would fetch a script file of its own at every view.
 */
export function createInlineScripts(assets: Assets): InlineScripts {
  const texts = new Map<string, Promise<string>>()

  async function read(name: string): Promise<string> {
    const text = (await assets.respond(assets.url(name))?.text()) ?? ''
    if (/<\/script|<!--/i.test(text)) throw new Error(`${name} cannot stand in a document`)
    return text.trim()
  }
  return {
    text(name) {
      const known = texts.get(name) ?? read(name)
      texts.set(name, known)
      return known
    },
  }
}
