import { condensePassage, findPassage, isDistinct } from '../../../../src/model/passage.ts'
import { createSlices } from '../../../../src/model/time-slices.ts'
import { spotIn } from '../../../geometry.ts'
import {
  type ElementSpot,
  MAX_FOLLOWED,
  type Mark,
  type PickedSpot,
  type PlacedSpot,
  type SpotMark,
} from '../../frame-message.ts'
import type { Connection, Post } from '../connection.ts'
import { start } from '../start.ts'
import { describe, elementOf } from './elements.ts'
import { offerElements } from './pick.ts'
import { onEscape, reportSelection } from './selection.ts'
import { readTextIndex } from './text-index.ts'
import { onContentChange, onViewChange } from './watch.ts'

const INTERACTIVE = 'a, button, input, select, textarea, label, summary, video, audio'

/** Smaller images are icons and ornaments. */
const MIN_WIDTH_PX = 40

const NAME = 'handbill-comments'
const ACTIVE_NAME = 'handbill-comment'
const STYLES = `
::highlight(${NAME}) { background-color: rgb(255 200 0 / 0.32); }
::highlight(${ACTIVE_NAME}) { background-color: rgb(255 170 0 / 0.62); }`
const ACTIVE_MS = 2500

/** The first script of a framed page that has comments. */
start(connectPassages)

function connectPassages(connection: Connection): void {
  const { post, onMessage } = connection
  const whenReady = (task: () => void) =>
    document.readyState === 'loading'
      ? document.addEventListener('DOMContentLoaded', task, { once: true })
      : task()
  whenReady(() => {
    reportSelection(post)
    reportSpot(post)
    offerElements(connection)
    const marks = createMarks(post)
    const elementMarks = createElementMarks(post)
    onMessage((message) => {
      if (message.type === 'marks') {
        marks?.set(message.marks)
        elementMarks.set(message.spots)
      } else if (message.type === 'reveal') {
        marks?.reveal(message.id)
        elementMarks.reveal(message.id)
      } else if (message.type === 'follow-marks') {
        marks?.follow(message.is_on)
        elementMarks.tell()
      }
    })
    // The shell may have sent marks before.
    post({ type: 'ready-for-marks' })
  })
}

/** Reports to the shell where commented spots on elements are: it shows pins there. */
function createElementMarks(post: Post) {
  let marks: readonly SpotMark[] = []
  let elements = new Map<SpotMark, Element>()
  let lastPosted = ''

  function locate(): void {
    elements = new Map()
    for (const mark of marks) {
      const element = elementOf(mark)
      if (element !== null) elements.set(mark, element)
    }
    place()
  }

  function place(): void {
    const spots = [...elements].map(([mark, element]) => placeOf(mark, element))
    const next = JSON.stringify(spots)
    if (next !== lastPosted) post({ type: 'marks-placed', spots })
    lastPosted = next
  }

  onContentChange(() => marks.length > 0 && locate(), ['id', 'class', 'alt'])
  onViewChange(() => elements.size > 0 && place())

  return {
    set(next: readonly SpotMark[]): void {
      marks = next
      lastPosted = ''
      locate()
    },
    /** Reports again what was reported. */
    tell(): void {
      lastPosted = ''
      place()
    },
    /** Scrolls to a marked element. */
    reveal(id: string): void {
      for (const [mark, element] of elements) if (mark.id === id) revealElement(element)
    },
  }
}

function placeOf({ id, x, y }: SpotMark, element: Element): PlacedSpot {
  const box = element.getBoundingClientRect()
  const left = box.left + x * box.width
  const top = box.top + y * box.height
  // The point that is asked for must be within the element, not on its edge.
  const at = document.elementFromPoint(
    Math.max(box.left + 1, Math.min(box.right - 1, left)),
    Math.max(box.top + 1, Math.min(box.bottom - 1, top)),
  )
  return { id, left, top, is_visible: element.contains(at) }
}

/** Reports to the shell which image was clicked, where in it, and where it is on the screen. */
function reportSpot(post: Post): void {
  let picked: { image: HTMLImageElement; spot: ElementSpot } | null = null
  const report = () => {
    if (picked !== null) post({ type: 'spot', spot: withBox(picked.spot, picked.image) })
  }
  const forget = () => {
    if (picked === null) return
    picked = null
    post({ type: 'spot', spot: null })
  }
  window.addEventListener('click', forget, true)
  onEscape(forget)
  onPlainClick((event, target) => {
    const spot = target instanceof HTMLImageElement ? spotOf(target, event) : null
    if (spot === null) return
    picked = { image: target as HTMLImageElement, spot }
    report()
  })
  onViewChange(report)
}

function spotOf(image: HTMLImageElement, event: MouseEvent): ElementSpot | null {
  const box = image.getBoundingClientRect()
  const element = describe(image)
  if (box.width < MIN_WIDTH_PX || box.height === 0 || element === null) return null
  return { ...spotIn(box, { left: event.clientX, top: event.clientY }), element }
}

function withBox(spot: ElementSpot, image: HTMLImageElement): PickedSpot {
  const { top, left, bottom, right } = image.getBoundingClientRect()
  return { ...spot, top, left, bottom, right }
}

/**
 * Marks the passages that have comments with the CSS Custom Highlight API, which changes nothing in
 * the page's document. A passage is marked where its words and those around them occur once.
 */
function createMarks(post: Post) {
  if (!('highlights' in CSS)) return null
  const all = new Highlight()
  const active = new Highlight()
  CSS.highlights.set(NAME, all)
  CSS.highlights.set(ACTIVE_NAME, active)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
  let marks: readonly Mark[] = []
  let ranges = new Map<string, Range>()
  let search = 0
  let isFollowed = false
  let lastTops = ''

  /** Passages that are not displayed are nowhere. */
  function tell(): void {
    if (!isFollowed) return
    const tops = [...ranges].slice(-MAX_FOLLOWED).flatMap(([id, range]) => {
      const [first] = range.getClientRects()
      return first === undefined ? [] : [{ id, top: first.top }]
    })
    const next = JSON.stringify(tops)
    if (next !== lastTops) post({ type: 'marks-moved', marks: tops })
    lastTops = next
  }

  async function locate(): Promise<void> {
    search += 1
    const own = search
    const next = new Map<string, Range>()
    const index = readTextIndex(document.documentElement)
    const pause = createSlices()
    for (const { id, ...passage } of marks) {
      const place = findPassage(index.text, condensePassage(passage), {
        mayStandAlone: isDistinct(passage.quote),
        mayDiffer: true,
      })
      if (place !== null) next.set(id, index.rangeOf(place))
      if ((await pause()) && own !== search) return
    }
    const before = [...ranges.keys()].join()
    ranges = next
    all.clear()
    for (const range of ranges.values()) all.add(range)
    const ids = [...ranges.keys()]
    if (ids.join() !== before) post({ type: 'marks-shown', ids })
    tell()
  }

  onContentChange(() => marks.length > 0 && void locate())
  onViewChange(tell)
  onPlainClick(({ clientX, clientY }) => {
    const caret = document.caretPositionFromPoint?.(clientX, clientY)
    if (!caret) return
    const { offsetNode: node, offset } = caret
    const hit = [...ranges].find(([, range]) => range.isPointInRange(node, offset))
    if (hit !== undefined) post({ type: 'mark-click', id: hit[0] })
  })

  return {
    set(next: readonly Mark[]): void {
      marks = next
      void locate()
    },
    follow(isOn: boolean): void {
      isFollowed = isOn
      lastTops = ''
      tell()
    },
    /** Scrolls to a marked passage and lights it up for a moment. */
    reveal(id: string): void {
      const range = ranges.get(id)
      if (range === undefined) return
      active.clear()
      active.add(range)
      setTimeout(() => active.delete(range), ACTIVE_MS)
      revealElement(range.startContainer.parentElement)
    },
  }
}

/** Clicks that neither select text nor do anything else in the page. */
function onPlainClick(listener: (event: MouseEvent, target: Element) => void): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || !getSelection()?.isCollapsed) return
    const { target } = event
    if (target instanceof Element && target.closest(INTERACTIVE) === null) listener(event, target)
  })
}

function revealElement(element: Element | null): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' })
}
