import { z } from 'zod'
import {
  type AnchorElement,
  MAX_ELEMENT_TEXT_CHARS,
  MAX_QUOTE_CHARS,
  MAX_SELECTOR_CHARS,
  type Passage,
} from './passage.ts'

const MAX_CONTEXT = 200
const MAX_SHEETS = 100_000

/** Words of an HTML file, with the text before and after them. */
export interface TextAnchor extends Passage {
  element: AnchorElement | null
}
/** A spot on a sheet of a PDF; `x` and `y` go from 0 to 1, from the top left. */
interface SheetAnchor {
  sheet: number
  x: number
  y: number
  element: null
}
/** A spot on an image. In an HTML file `element` is the image. */
interface SpotAnchor {
  x: number
  y: number
  element: AnchorElement | null
}

/** What a comment is about, as its author's browser reported it: a claim, until it is located. */
export type Anchor = TextAnchor | SheetAnchor | SpotAnchor

export const ANCHOR_STATES = ['exact', 'moved', 'outdated'] as const
export type AnchorState = (typeof ANCHOR_STATES)[number]

function words(max: number) {
  return z
    .string()
    .max(max, { error: `must have at most ${max.toLocaleString('en')} characters` })
    .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'must be valid text' })
}
const ratio = z.number().min(0).max(1)
const element = z.object({
  tag: z
    .string()
    .max(100)
    .regex(/^[a-z][\w:.-]*$/i, { error: 'must be the name of an element' }),
  text: words(MAX_ELEMENT_TEXT_CHARS),
  selector: words(MAX_SELECTOR_CHARS),
})

const members = {
  quote: words(MAX_QUOTE_CHARS).optional().describe('Text: the words themselves.'),
  prefix: words(MAX_CONTEXT).optional().describe('Text: what stands before them.'),
  suffix: words(MAX_CONTEXT).optional().describe('Text: what stands after them.'),
  sheet: z.int().min(1).max(MAX_SHEETS).optional().describe('PDF: the page, from 1.'),
  x: ratio.optional().describe('PDF or image: 0 to 1 from the left.'),
  y: ratio.optional().describe('PDF or image: 0 to 1 from the top.'),
  element: z.strictObject(element.shape).nullish().describe('The element, if it is one.'),
}

export const anchorInput = z.strictObject(members).transform((input, context): Anchor => {
  const anchor = anchorOf(input)
  if (anchor !== null) return anchor
  context.addIssue({
    code: 'custom',
    message: 'must be {quote, prefix, suffix}, {sheet, x, y} or {x, y}',
  })
  return z.NEVER
})

export const anchorObject = z
  .object({ ...members, element: element.nullable() })
  .meta({ id: 'Anchor', description: '`{quote, prefix, suffix}`, `{sheet, x, y}` or `{x, y}`.' })

/** The anchor with the members of its kind; null where those of one kind are not complete. */
function anchorOf(input: z.output<z.ZodObject<typeof members>>): Anchor | null {
  const { quote, prefix, suffix, sheet, x, y, element = null } = input
  const isText = quote !== undefined && prefix !== undefined && suffix !== undefined
  const isSpot = x !== undefined && y !== undefined
  if (isText) {
    const isWhole = sheet === undefined && x === undefined && y === undefined
    return isWhole && (quote.trim() !== '' || element !== null)
      ? { quote, prefix, suffix, element }
      : null
  }
  if (!isSpot || quote !== undefined || prefix !== undefined || suffix !== undefined) return null
  if (sheet === undefined) return { x, y, element }
  return element === null ? { sheet, x, y, element } : null
}

export function isTextAnchor(anchor: Anchor): anchor is TextAnchor {
  return 'quote' in anchor
}
export function isSheetAnchor(anchor: Anchor): anchor is SheetAnchor {
  return 'sheet' in anchor
}
