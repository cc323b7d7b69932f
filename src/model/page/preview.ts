import { joinedLine, line } from '../text.ts'

export const previewFields = {
  og_title: line(300).nullable().describe('The title of link previews; null uses the page’s own.'),
  og_description: joinedLine(1000)
    .nullable()
    .describe('The description of link previews; null uses the page’s own.'),
}

export const previewDefaults = {
  og_title: null as string | null,
  og_description: null as string | null,
}
