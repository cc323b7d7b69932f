import type { Assets } from '../../kit/assets.ts'

/**
 * Our scripts as text, to stand in the documents themselves: a sandboxed page shares no cache
 * with anybody, so a file of its own would be fetched at every opening.
 */
export function shellScripts(assets: Assets) {
  const texts = new Map<string, Promise<string>>()

  async function read(name: string): Promise<string> {
    const text = (await assets.respond(assets.url(name))?.text()) ?? ''
    if (/<\/script|<!--/i.test(text)) throw new Error(`${name} cannot stand in a document`)
    return text.trim()
  }
  function once(name: string): Promise<string> {
    const known = texts.get(name) ?? read(name)
    texts.set(name, known)
    return known
  }
  return {
    shell: () => once('shell.js'),
    /** What stands in for the runtime until it has loaded. */
    runtimeStub: () => once('runtime.stub.js'),
    /** The first thing in the head of what is framed. */
    frameTag: async () => `<script>${await once('shell.frame.js')}</script>`,
  }
}
export type ShellScripts = ReturnType<typeof shellScripts>
