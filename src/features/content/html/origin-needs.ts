import type { OriginNeed } from '../../../model/page/facts.ts'
import { type FoundWarning, warn } from '../warnings.ts'
import { createLineCounter } from './bytes.ts'
import type { ReferringFile } from './check-reference.ts'
import { scriptKindOf } from './code.ts'
import { foldersOf } from './deck-links.ts'
import { findVitePrefix, stringUse } from './string-uses.ts'
import { attributeText, type Tag } from './tokens.ts'

/** What a script needs an origin of its own for, and what of it fails without one. */
export interface ScriptNeeds {
  needs: OriginNeed[]
  warnings: FoundWarning[]
}

/** A script to scan, as visitors are sent it: publishing has made its imports relative. */
interface ScannedScript {
  text: string
  /** The line of the file where the text starts. */
  firstLine: number
}

/**
 * Finds what in a script expects the root of a host. Every pattern takes linear time: none repeats
 * what can follow it, and each repetition has a limit.
 */
export function findScriptNeeds(
  { text, firstLine }: ScannedScript,
  { deck }: ReferringFile,
): ScriptNeeds {
  const needs = new Set<OriginNeed>()
  const warnings: FoundWarning[] = []
  const lineOf = (at: number) =>
    createLineCounter((from) => text.indexOf('\n', from), firstLine)(at)
  const root = deck && (findRootPath(text, deck.paths) ?? findRootPrefix(text, deck.paths))
  if (root) {
    needs.add('root_paths')
    if (root.isCertain) warnings.push(warn('root_address', lineOf(root.at), root.subject))
  }
  const router = findRouter(text)
  if (router !== null) {
    needs.add('router')
    if (router.isCertain) warnings.push(warn('root_router', lineOf(router.at)))
  }
  const speaker = SPEAKER_WINDOW.exec(text)
  if (speaker !== null) {
    needs.add('window')
    warnings.push(warn('speaker_window', lineOf(speaker.index)))
  }
  if (deck !== null && startsWorker(text, deck.paths)) needs.add('worker')
  return { needs: [...needs], warnings }
}

/** Finds the needs of the scripts in an HTML file. */
export function createOriginFinder(buffer: Buffer, file: ReferringFile) {
  const lineOf = createLineCounter((at) => buffer.indexOf(10, at))
  const needs = new Set<OriginNeed>()
  const byCode = new Map<string, FoundWarning>()
  let isScript = false
  return {
    startTag(tag: Tag) {
      const kind = tag.name === 'script' && scriptKindOf(attributeText(buffer, tag, 'type'))
      isScript = kind === 'classic' || kind === 'module'
    },
    endTag() {
      isScript = false
    },
    text(start: number, end: number) {
      if (!isScript) return
      const script = { text: buffer.toString('utf8', start, end), firstLine: lineOf(start) }
      const found = findScriptNeeds(script, file)
      for (const need of found.needs) needs.add(need)
      for (const each of found.warnings) if (!byCode.has(each.code)) byCode.set(each.code, each)
    },
    found: (): ScriptNeeds => ({ needs: [...needs], warnings: [...byCode.values()] }),
  }
}

interface RootPath {
  at: number
  subject: string
  /** False where a script may do something else with the address than load the file. */
  isCertain: boolean
}

const MAX_LITERAL_CHARS = 512
/** A string that is an address from the root. Quotes end it, so each character is read once. */
const ROOT_LITERAL = new RegExp(
  String.raw`(["'\x60])\/(?!\/)([^"'\x60\\\s<>{}$]{1,${MAX_LITERAL_CHARS}})\1`,
  'g',
)
/** Finds the first string that is the address of a file of the deck, or of a folder with files. */
function findRootPath(text: string, paths: ReadonlySet<string>): RootPath | null {
  const folders = foldersOf(paths)
  let uncertain: RootPath | null = null
  for (const { 0: literal, 2: reference = '', index } of text.matchAll(ROOT_LITERAL)) {
    const path = decoded(reference.split(/[?#]/, 1)[0]!)
    if (path === '' || !(paths.has(path) || folders.has(path))) continue
    const use = stringUse(text, { start: index + 1, end: index + literal.length - 1 })
    if (use === 'part' || use === 'compared' || isCommented(text, index)) continue
    const isDocument = /\.html?$/i.test(path) || paths.has(`${path}index.html`)
    const isCertain = (use === 'loaded' || use === 'opened') && !isDocument
    const need = { at: index, subject: literal.slice(1, -1), isCertain }
    if (isCertain) return need
    uncertain ??= need
  }
  return uncertain
}

const MAX_COMMENT_CHARS = 400

/** Whether the line starts as a comment does. */
function isCommented(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_COMMENT_CHARS), at)
  return /^\s{0,40}(?:\/\/|\/?\*)/.test(before.slice(before.lastIndexOf('\n') + 1))
}

/** Vite loads what a chunk depends on by addresses that it puts a slash before. */
function findRootPrefix(text: string, paths: ReadonlySet<string>): RootPath | null {
  const list = VITE_DEPENDENCIES.exec(text)
  if (list === null || !paths.has(list[1]!) || findVitePrefix(text) === null) return null
  return { at: list.index, subject: `/${list[1]}`, isCertain: true }
}

const VITE_DEPENDENCIES = new RegExp(
  String.raw`\bm\.f\s?=\s?\[["'\x60]([^"'\x60\\\s]{1,${MAX_LITERAL_CHARS}})["'\x60]`,
)

/**
 * Finds a router that reads its route from the path of the address. `pushState` alone is none:
 * slides write their number into the fragment.
 */
function findRouter(text: string): { at: number; isCertain: boolean } | null {
  const vitePress = text.indexOf('__VP_HASH_MAP__[')
  if (vitePress >= 0) return { at: vitePress, isCertain: true }
  const pushes = text.includes('pathname') && PUSHES_STATE.exec(text)
  if (!pushes) return null
  const history = REACT_HISTORY.exec(text)
  if (history !== null) return { at: history.index, isCertain: true }
  if (!ON_POPSTATE.test(text)) return null
  const vue = KEEPS_ADDRESS.test(text) ? null : VUE_HISTORY.exec(text)
  if (vue !== null) return { at: vue.index, isCertain: true }
  return READS_PATH.test(text) ? { at: pushes.index, isCertain: false } : null
}

const PUSHES_STATE = /pushState["'`]?\]?\s{0,2}\(/
const NAME = String.raw`[\w$]{1,40}`
const PARTS =
  String.raw`\{\s{0,9}pathname(?::\s?${NAME})?,\s{0,9}search(?::\s?${NAME})?,` +
  String.raw`\s{0,9}hash(?::\s?${NAME})?,?\s{0,9}\}\s?=\s?`
/** React Router and its kin. A history in the fragment takes the parts from a string instead. */
const REACT_HISTORY = new RegExp(
  String.raw`${PARTS}(?:${NAME}\s?\|\|\s?)?(?:${NAME}\.){0,2}location\b`,
)
const VUE_HISTORY = new RegExp(String.raw`${PARTS}${NAME}\s?[,;\n]`)
const ON_POPSTATE = /addEventListener\(\s{0,9}["'`]popstate|onpopstate/
/** The whole address, which a route in its fragment is added to. */
const KEEPS_ADDRESS = /location\.pathname\s?\+\s?(?:window\.)?location\.search/
const READS_PATH = new RegExp(
  String.raw`(?<![.\w$])(?:(?:window|document|self|globalThis)\.)?location\.pathname\b` +
    String.raw`(?!\s?\+\s?(?:window\.)?location\.search)`,
)

/** Of reveal.js and impress.js, which write a document into an empty window and then talk to it. */
const SPEAKER_WINDOW = new RegExp(
  String.raw`\bopen\(\s{0,9}["'\x60](?:about:blank)?["'\x60]\s{0,9},\s{0,9}` +
    String.raw`["'\x60](?:reveal\.js - Notes|impressConsole)["'\x60]`,
)

/** How much of what follows a worker's parenthesis is read. */
const ARGUMENT_CHARS = 200
const WORKER = new RegExp(
  String.raw`new\s{1,4}SharedWorker\s{0,4}\(|` +
    String.raw`serviceWorker\s{0,4}\.\s{0,4}register\s{0,4}\(`,
  'g',
)
const FIRST_STRING = /["'`]([^"'`\\\s]{1,180})["'`]/

/**
 * Whether a worker that tabs share is started from a file of the deck; one that a script makes is
 * no file. Any other worker runs in the sandbox too, by `web/sandbox`.
 */
function startsWorker(text: string, paths: ReadonlySet<string>): boolean {
  if (!/SharedWorker|serviceWorker/.test(text)) return false
  const names = new Set([...paths].map((path) => path.slice(path.lastIndexOf('/') + 1)))
  for (const { 0: call, index } of text.matchAll(WORKER)) {
    const start = index + call.length
    const argument = text.slice(start, start + ARGUMENT_CHARS)
    const [reference = ''] = (FIRST_STRING.exec(argument)?.[1] ?? '').split(/[?#]/, 1)
    if (names.has(decoded(reference.slice(reference.lastIndexOf('/') + 1)))) return true
  }
  return false
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return path
  }
}
