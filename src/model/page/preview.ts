import { joinedLine, line } from '../text.ts'
import { MAX_OG_DESCRIPTION, MAX_OG_TITLE } from './limits.ts'

export const previewFields = {
  og_title: line(MAX_OG_TITLE)
    .nullable()
    .describe('The title of link previews; null uses the page’s own.'),
  og_description: joinedLine(MAX_OG_DESCRIPTION)
    .nullable()
    .describe('The description of link previews; null uses the page’s own.'),
}

export const previewDefaults = {
  og_title: null as string | null,
  og_description: null as string | null,
}
