import type { OriginNeed } from '../../../model/page/facts.ts'
import { HEADERS } from '../files/hosting.ts'
import { decodedPath, isHtmlPath } from '../files/paths.ts'
import { type FoundWarning, warn } from '../warnings.ts'
import { createLineCounter } from './bytes.ts'
import { foldersOf } from './deck-links.ts'

/** What the scripts of one file need an origin of their own for. It serves warnings alone. */
export interface ScriptNeeds {
  needs: OriginNeed[]
  warnings: FoundWarning[]
  /** Where it writes paths into the address, and whether it reads them there; null for neither. */
  router: { line: number; reads_path: boolean } | null
  /** Whether it loads modules while it runs, as builds do by addresses from the root. */
  imports: boolean
}

/** The same of an HTML file. */
export interface DocumentNeeds extends ScriptNeeds {
  /** Its base or a script has an address from the root: it was built for the root of a host. */
  root: { line: number; address: string; is_module: boolean } | null
}

/** Interfaces of the browser that a document without an origin does not get. */
const INTERFACES: [need: OriginNeed, name: string, call: RegExp][] = [
  ['worker', 'A service worker', /\bserviceWorker\s{0,4}\??\.\s{0,4}register\s{0,4}\(/],
  ['worker', 'SharedWorker', /\bnew\s{1,4}SharedWorker\s{0,4}\(/],
  ['worker', 'SharedArrayBuffer', /\bnew\s{1,4}SharedArrayBuffer\s{0,4}\(/],
  ['storage', 'IndexedDB', /\bindexedDB\s{0,4}\??\.\s{0,4}open\s{0,4}\(/],
  ['storage', 'CacheStorage', /\bcaches\s{0,4}\.\s{0,4}open\s{0,4}\(/],
  ['storage', 'The private file system', /\bstorage\s{0,4}\.\s{0,4}getDirectory\s{0,4}\(/],
  ['storage', 'A request of the mode same-origin', /\bmode\s{0,4}:\s{0,4}["']same-origin["']/],
  ['storage', 'Web Locks', /\blocks\s{0,4}\.\s{0,4}request\s{0,4}\(/],
]

/** Of reveal.js and impress.js, which write a document into an empty window and then talk to it. */
const SPEAKER_WINDOW = new RegExp(
  String.raw`\bopen\(\s{0,9}["'\x60](?:about:blank)?["'\x60]\s{0,9},\s{0,9}` +
    String.raw`["'\x60](?:reveal\.js - Notes|impressConsole)["'\x60]`,
)
const PUSHES_STATE = /\bpushState["'`]?\]?\s{0,2}\(/
/** The path of the address as a route, not as the start of another address. */
const READS_PATH = new RegExp(
  String.raw`location\s{0,4}\.\s{0,4}pathname\b(?!\s{0,9}\+)|` +
    String.raw`\{[^{}]{0,200}\bpathname\b[^{}]{0,200}\}\s{0,9}=\s{0,9}[^;,{}]{0,60}` +
    String.raw`\blocation\b(?!\s{0,4}\.\s{0,4}hash)`,
)
/** It may take its route from the fragment, which works anywhere. */
const READS_FRAGMENT = new RegExp(
  String.raw`hashchange|(?:(?<![\w$.])|\b(?:window|document|self|globalThis)\s{0,4}\.\s{0,4})` +
    String.raw`location\s{0,4}\.\s{0,4}hash\b`,
)
/** Of Vue, which reads both by a name that bundlers shorten. */
const VUE_ROUTER = new RegExp(
  String.raw`\bpathname\b[^{}]{0,99}\}\s{0,4}=\s{0,4}[\w$]{1,40}\s{0,4}[,;]\s{0,9}` +
    String.raw`[\w$ ]{1,40}=\s{0,4}[\w$]{1,40}\.indexOf\(["'\x60]#`,
)
const ADDS_FRAGMENT = /\+=\s{0,4}["'`]#["'`]/
const IMPORTS = /\bimport\s{0,4}\(/

/**
 * Finds the interfaces that a script calls and its addresses from the root of a host. Each pattern
 * takes linear time.
 *
 * @param paths of the deck; null for a single page
 */
export function findScriptNeeds(
  { text, firstLine }: { text: string; firstLine: number },
  paths: ReadonlySet<string> | null,
): ScriptNeeds {
  const needs = new Set<OriginNeed>()
  const warnings: FoundWarning[] = []
  const lineOf = (at: number) =>
    createLineCounter((from) => text.indexOf('\n', from), firstLine)(at)
  const root = paths && findRootAddress(text, paths)
  if (root) {
    needs.add('root_paths')
    warnings.push(warn('root_address', lineOf(root.at), root.address))
  }
  for (const [need, name, call] of INTERFACES) {
    const match = call.exec(text)
    // Without headers that ask for it, no page has it anywhere: scripts do without.
    if (match === null || (name === 'SharedArrayBuffer' && !paths?.has(HEADERS))) continue
    needs.add(need)
    warnings.push(warn('needs_origin', lineOf(match.index), name))
  }
  const speaker = SPEAKER_WINDOW.exec(text)
  if (speaker !== null) {
    needs.add('window')
    warnings.push(warn('speaker_window', lineOf(speaker.index)))
  }
  const pushes = PUSHES_STATE.exec(text)
  const readsPath = VUE_ROUTER.test(text)
    ? !ADDS_FRAGMENT.test(text)
    : READS_PATH.test(text) && !READS_FRAGMENT.test(text)
  const router = pushes && { line: lineOf(pushes.index), reads_path: readsPath }
  return { needs: [...needs], warnings, router, imports: IMPORTS.test(text) }
}

const ROOT_STRING = /(["'`])\/(?!\/)([^"'`\\\s<>{}$]{1,512})\1/g
/** The string is compared, part of a longer one, or the other choice beside the relative `'.'`. */
const NO_ADDRESS = /(?:\+|[=!]=|\bcase|\.(?:starts|ends)With\(|\.includes\(|["']\.["'] :)\s{0,9}$/
const COMMENTED = /^\s{0,99}(?:\/?\*|\/\/)/

/** The first string that is the address of a file of the deck, or of a folder that has no page. */
function findRootAddress(text: string, paths: ReadonlySet<string>) {
  let folders: Set<string> | undefined
  let line = { start: 0, end: text.indexOf('\n') }
  for (const { 2: address = '', index } of text.matchAll(ROOT_STRING)) {
    const path = decodedPath(address.split(/[?#]/, 1)[0]!)
    if (!paths.has(path) || isHtmlPath(path)) {
      folders ??= foldersOf(paths)
      if (!folders.has(path) || paths.has(`${path}index.html`)) continue
    }
    while (line.end >= 0 && line.end < index) {
      line = { start: line.end + 1, end: text.indexOf('\n', line.end + 1) }
    }
    if (NO_ADDRESS.test(text.slice(Math.max(0, index - 24), index))) continue
    if (COMMENTED.test(text.slice(line.start, Math.min(index, line.start + 100)))) continue
    return { at: index, address: `/${address}` }
  }
  return null
}
