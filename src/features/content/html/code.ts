import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import { bufferOf } from './bytes.ts'
import { type Attribute, attributeText, findAttribute, type Tag } from './tokens.ts'

export interface ScriptFacts {
  collects_responses: boolean
  uses_storage: boolean
}

/** What a browser does with a script element. `other` is text to it, often code to a library. */
export type ScriptKind = 'classic' | 'module' | 'importmap' | 'json' | 'other'

const JAVASCRIPT =
  /^(?:application|text)\/(?:x-)?(?:java|ecma)script$|^text\/(?:javascript1\.\d|jscript)$/

/** @param type the element's `type` attribute, null without one */
export function scriptKindOf(type: string | null): ScriptKind {
  const name = (type ?? '').trim().toLowerCase()
  if (name === '' || JAVASCRIPT.test(name)) return 'classic'
  if (name === 'module' || name === 'importmap') return name
  return name === 'speculationrules' || /[/+]json$/.test(name) ? 'json' : 'other'
}

/** Facts of a `.js` file. */
export function scanScript(bytes: Uint8Array): ScriptFacts {
  return factsOf(bufferOf(bytes).toString('latin1'))
}

// A mention is enough: scripts reach storage through `window['localStorage']`, destructuring, or a
// library inlined beside them, and a stand-in that nobody uses costs little.
const STORAGE =
  /(?:local|session)Storage|indexedDB|document\s*(?:\??\.\s*|(?:\?\.)?\[\s*['"`])cookie/

// `Service.submit(`, by itself or as a member of the window, and not of something else. Each
// repetition is followed by something it cannot match itself, so that no input makes it slow.
const SUBMIT = new RegExp(
  [
    String.raw`(?<![\w$.\x80-\uffff])(?:(?:window|globalThis|self|top|parent|frames)\s*\??\.\s*)?`,
    String.raw`Service\s*(?:\??\.\s*submit|(?:\?\.\s*)?\[\s*["'\x60]submit["'\x60]\s*\])`,
    String.raw`\s*(?:\?\.\s*)?\(`,
  ].join(''),
)

// A form that a script or a framework makes: a string with markup, or the attribute's name alone.
const FORM = /(?<![\w-])data-service(?![\w-])/

function factsOf(text: string): ScriptFacts {
  const callsSubmit = text.includes('submit') && SUBMIT.test(text)
  return {
    collects_responses: callsSubmit || (text.includes('data-service') && FORM.test(text)),
    uses_storage: STORAGE.test(text),
  }
}

const URLS = new Set(['href', 'src', 'action', 'formaction', 'xlink:href'])

/**
 * Finds whether a page collects responses and uses storage: its forms, scripts, handlers and the
 * documents it frames. A template's form counts, since a script will stand it somewhere.
 */
export function createCodeFinder(buffer: Buffer) {
  const found: ScriptFacts = { collects_responses: false, uses_storage: false }
  let inside: 'script' | 'svg script' | null = null
  /** An SVG's script is ordinary text to the parser, entities, comments and all. */
  let svgScript: string[] = []

  function look(text: string) {
    const { collects_responses: collectsResponses, uses_storage: usesStorage } = factsOf(text)
    found.collects_responses ||= collectsResponses
    found.uses_storage ||= usesStorage
  }
  function closeScript() {
    if (inside === null) return
    if (svgScript.length > 0) look(decodeHTML(svgScript.join('')))
    svgScript = []
    inside = null
  }
  function lookAtAttribute({ name, valueStart, valueEnd }: Attribute) {
    const isCode = name.startsWith('on') || name === 'srcdoc'
    if (!isCode && !(URLS.has(name) && mayBeScript(buffer, valueStart))) return
    const value = decodeHTMLAttribute(buffer.toString('utf8', valueStart, valueEnd))
    if (isCode || /^[\0- ]*javascript:/i.test(value)) look(value)
  }

  return {
    found() {
      closeScript()
      return found
    },
    startTag(tag: Tag) {
      closeScript()
      for (const attribute of tag.attributes) lookAtAttribute(attribute)
      if (tag.name === 'form' && findAttribute(tag, 'data-service') !== undefined) {
        found.collects_responses = true
      }
      if (tag.name !== 'script') return
      const kind = scriptKindOf(attributeText(buffer, tag, 'type'))
      if (kind === 'json' || kind === 'importmap') return
      inside = tag.namespace === 'html' ? 'script' : 'svg script'
    },
    endTag: closeScript,
    text(start: number, end: number) {
      if (inside === 'script') look(buffer.toString('latin1', start, end))
      if (inside === 'svg script') svgScript.push(buffer.toString('utf8', start, end))
    },
  }
}

/** Whether a URL may begin with `javascript:`, however it is spelled. */
function mayBeScript(buffer: Buffer, at: number): boolean {
  const first = buffer[at]
  return first === undefined || first <= 32 || first === 38 || (first | 32) === 106
}
