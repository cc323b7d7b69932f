export interface ScriptFacts {
  calls_submit: boolean
  uses_storage: boolean
}

/** What a browser does with a script element. `other` is text to it, often code to a library. */
export type ScriptKind = 'classic' | 'module' | 'importmap' | 'json' | 'other'

const JAVASCRIPT =
  /^(?:application|text)\/(?:x-)?(?:java|ecma)script$|^text\/(?:javascript1\.[0-5]|jscript|livescript)$/

/** @param type the element's `type` attribute, null without one */
export function scriptKindOf(type: string | null): ScriptKind {
  const name = (type ?? '').trim().toLowerCase()
  if (name === '' || JAVASCRIPT.test(name)) return 'classic'
  if (name === 'module' || name === 'importmap') return name
  return name === 'speculationrules' || /[/+]json$/.test(name) ? 'json' : 'other'
}

/** Facts of a `.js` file. */
export function scanScript(bytes: Uint8Array): ScriptFacts {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return scanScriptText(buffer.latin1Slice())
}

// A mention is enough: scripts reach storage through `window['localStorage']`, destructuring, or a
// library inlined beside them, and a stand-in that nobody uses costs little.
const STORAGE =
  /localStorage|sessionStorage|indexedDB|document\s*(?:\?\.|\.)\s*cookie|document\s*\[\s*['"`]cookie/

// `Service.submit(`, by itself or as a member of the window, and not of something else.
// Every repetition here is followed by something it cannot match, so that no input is slow.
const SUBMIT = new RegExp(
  String.raw`(?<![\w$.\x80-\uffff])(?:(?:window|globalThis|self|top|parent|frames)\s*\??\.\s*)?` +
    String.raw`Service\s*(?:(?:\?\.|\.)\s*submit|(?:\?\.)?\s*\[\s*(['"` +
    '`' +
    String.raw`])submit\1\s*\])\s*(?:\?\.\s*)?\(`,
)

export function scanScriptText(text: string): ScriptFacts {
  return {
    calls_submit: text.includes('submit') && SUBMIT.test(text),
    uses_storage: STORAGE.test(text),
  }
}
