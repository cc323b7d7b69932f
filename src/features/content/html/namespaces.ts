import type { Namespace, Tag } from './tags.ts'

// SVG and MathML elements whose content is HTML again.
const HTML_INSIDE_SVG = new Set(['foreignobject', 'desc', 'title'])
const HTML_INSIDE_MATH = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])

// Tags that end the SVG or MathML that they are in, as HTML lists them.
const BREAKOUT = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
  listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`.split(
    /\s+/,
  ),
)

/** Names of tags that start a namespace, and of attributes that end it. */
export const FOREIGN_NAMES = ['svg', 'math', 'color', 'face', 'size']

/**
 * Tracks the namespace that the parser is in, as far as tags alone decide it: the `<title>`,
 * `<style>` and `<script>` of an SVG are not those of the page, and their text is parsed in another
 * way. Each tag takes amortised constant time at any depth.
 */
export function createNamespaces() {
  const open: { name: string; inside: Namespace }[] = []
  const count = { svg: 0, math: 0 }

  function current(): Namespace {
    return open.length === 0 ? 'html' : open[open.length - 1]!.inside
  }
  function push(name: string, inside: Namespace) {
    open.push({ name, inside })
    if (name === 'svg' || name === 'math') count[name]++
  }
  function pop() {
    const { name } = open.pop()!
    if (name === 'svg' || name === 'math') count[name]--
  }
  function leaveForeign() {
    while (current() !== 'html') pop()
  }

  return {
    current,
    /** @returns the namespace of the element that this tag starts */
    start(tag: Tag): Namespace {
      if (current() !== 'html' && isBreakout(tag)) leaveForeign()
      const own = ownNamespace(tag.name, current())
      if (own === 'html' || tag.selfClosing) return own
      if (tag.name === own) push(tag.name, own)
      else if (holdsHtml(tag, own)) push(tag.name, 'html')
      return own
    },
    end(name: string): void {
      if (open.length === 0) return
      if (name === 'svg' || name === 'math') {
        if (count[name] === 0) return
        while (open[open.length - 1]!.name !== name) pop()
        pop()
      } else if (open[open.length - 1]!.name === name) {
        pop()
      } else if (name === 'p' || name === 'br') {
        leaveForeign()
      }
    },
  }
}

function ownNamespace(name: string, around: Namespace): Namespace {
  if (around === 'html') return name === 'svg' || name === 'math' ? name : 'html'
  return around === 'math' && name === 'svg' ? 'svg' : around
}

function isBreakout(tag: Tag): boolean {
  if (tag.name === 'font') return tag.attributes.some((a) => /^(?:color|face|size)$/.test(a.name))
  return BREAKOUT.has(tag.name)
}

function holdsHtml(tag: Tag, own: Namespace): boolean {
  if (own === 'svg') return HTML_INSIDE_SVG.has(tag.name)
  return HTML_INSIDE_MATH.has(tag.name)
}
