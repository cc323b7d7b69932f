import tokens from '../../../web/tokens.css' with { type: 'text' }
import { ACCENT_COLOURS } from '../../model/accent.ts'

/** The design tokens, with the accent of a page, on any element: `<html data-accent="teal">`. */
export const TOKENS = `${tokens}${accentRules((light) => light)}
@supports (color: light-dark(#000, #fff)) {
${accentRules((light, dark) => `light-dark(${light}, ${dark})`)}
}
`

function accentRules(colourOf: (light: string, dark: string) => string): string {
  return Object.entries(ACCENT_COLOURS)
    .map(([name, [light, dark]]) => ({ name, colour: colourOf(light, dark) }))
    .map(({ name, colour }) => `[data-accent="${name}"] { --accent: ${colour}; }`)
    .join('\n')
}
