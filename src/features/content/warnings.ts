import { MAX_WARNINGS } from '../../model/page/warnings.ts'
import type { Warning, WarningCode } from './contract.ts'
import { quoted } from './files/paths.ts'

/** What a scan finds in one file. The release stores it, so its message can change. */
export interface FoundWarning {
  code: WarningCode
  /** Null where no place in the file shows it. */
  line: number | null
  /** The reference or the element, as written but cut short. */
  subject: string
}

export interface ReleaseWarning extends FoundWarning {
  /** The file of the deck; null on a single page. */
  path: string | null
}

/** The warnings that are told: all files that were left out, and the first of the others. */
export function firstWarnings<W extends { code: string }>(warnings: readonly W[]): W[] {
  const leftOut = warnings.filter(({ code }) => code === 'left_out')
  const others = warnings.filter(({ code }) => code !== 'left_out')
  return [...leftOut, ...others.slice(0, MAX_WARNINGS)]
}
const MAX_SUBJECT_CHARS = 100

export function warn(code: WarningCode, line: number | null, subject = ''): FoundWarning {
  return { code, line, subject: subject.slice(0, MAX_SUBJECT_CHARS).toWellFormed() }
}

interface ServerFacts {
  /** An address on it is no mistake, even on `localhost`. */
  baseUrl: string
  /** Whether pages with scripts stand on hosts of their own. */
  origins: boolean
}

/** The warnings as an answer has them: those that are true on this server. */
export function describeWarnings(
  warnings: readonly ReleaseWarning[],
  { baseUrl, origins }: ServerFacts,
): Warning[] {
  return warnings
    .filter(({ code, subject }) => code !== 'local_address' || !subject.startsWith(baseUrl))
    .filter(({ code }) => !(origins && OF_SANDBOX.has(code)))
    .map(({ code, path, line, subject }) => {
      return { code, message: MESSAGES[code](subject, path), path, line }
    })
}

/** What works wherever pages have origins of their own. */
const OF_SANDBOX = new Set<WarningCode>([
  'root_address',
  'root_router',
  'needs_origin',
  'speaker_window',
])

const CURE =
  'set CONTENT_URL on the server, with one DNS record for it, which gives pages hosts of their own.'

/** What Next.js, Nuxt, Astro and SvelteKit write: no setting makes all of it relative. */
const BUILT_FOR_ROOT = /^\/_(?:next|nuxt|astro|app)\//

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'

const MESSAGES: Record<WarningCode, (subject: string, path: string | null) => string> = {
  missing_file: (reference, path) =>
    path === null
      ? `${quoted(reference)} leads nowhere: a single page has no files beside it. Put the file ` +
        'into the page, or publish a deck that has it.'
      : `${quoted(reference)} leads to no file of the deck: add the file, or correct the link.`,
  wrong_base: (folder) =>
    `The page asks for files below ${quoted(folder)}, and here they stand at the root: build the ` +
    'site for the root (`base: "/"` in Vite, VitePress and Astro, `baseUrl` in Docusaurus, no ' +
    '`basePath` in Next.js), or correct the links.',
  local_address: (reference) =>
    `${quoted(reference)} is on the author’s own computer, which visitors do not reach: use a ` +
    'public address, or publish the file with the page.',
  no_viewport: () =>
    'Phones show this page as small as a desktop screen shrunk to their width: add ' +
    `${VIEWPORT} to its head.`,
  form_goes_nowhere: () =>
    'What visitors enter in this form is lost: add data-service to its <form> to collect ' +
    'responses here, or an action with the address that takes it.',
  file_input_ignored: () =>
    'A form with data-service takes no files: remove its <input type="file">, or ask for a link.',
  unnamed_field: () =>
    'What visitors enter in this field of a form with data-service is not collected: give it a ' +
    'name.',
  replacing_form: () =>
    'Each viewer has one response on this page, so what is sent by this form replaces what the ' +
    'first form with data-service has sent: make one form of them.',
  framed_form: () =>
    'What visitors enter in a form in srcdoc is lost: put the form into the page, or into a file ' +
    'of a deck that the frame shows.',
  unclosed_element: (name) =>
    `<${name}> is not closed, so browsers take the rest of the file for its text: add </${name}>.`,
  unclosed_comment: () =>
    'This comment is not closed, so browsers show nothing that follows it: add -->.',
  source_file: (reference) =>
    `${quoted(reference)} is source code, which browsers do not run: did you mean \`dist/\`? ` +
    'Build the project, and publish the folder that the build writes.',
  root_address: (reference) =>
    `${quoted(reference)} is an address at the root of a host, where this page does not stand: ` +
    (BUILT_FOR_ROOT.test(reference)
      ? ''
      : 'build with relative addresses (Vite: `--base=./`), or ') +
    CURE,
  root_router: () =>
    'This app takes its route from the path of the address and expects the root of a host, where ' +
    `this page does not stand: take it from the fragment (a hash router), or ${CURE}`,
  needs_origin: (name) =>
    `${name} works only where a page has a host of its own, which it does not have here: ${CURE}`,
  guessed_encoding: () =>
    'This text is neither UTF-8 nor names its encoding: it was read as windows-1252. If letters ' +
    'are wrong, save it as UTF-8, or name its charset in a <meta>.',
  replaced_text: (charset) =>
    `Bytes here are no text in ${charset}, so visitors see \ufffd in their place: save the file ` +
    'as UTF-8, or correct the charset that it names.',
  ignored_rule: (why) => `This rule is not followed: ${why}.`,
  left_out: (why) => `This file was left out: its path ${why}.`,
  speaker_window: () =>
    'The window for the speaker cannot follow these slides: the page runs in a sandbox, which ' +
    'keeps it apart from windows that it opens. The slides themselves work. For the window, ' +
    CURE,
  missing_fallback: (fallback) =>
    `The page’s setting fallback names ${quoted(fallback)}, which is no HTML file of it, so ` +
    'unknown routes find nothing: add the file, or change the setting.',
  markdown_replaced: () =>
    'This was Markdown and is HTML from now on: edits change its HTML. Send `markdown` to make ' +
    'it Markdown again, or restore the version before.',
  truncated_image: () =>
    'This image is cut off: its bytes end before the image does. Send the whole file again.',
}
