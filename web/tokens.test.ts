import { describe, expect, test } from 'bun:test'
import { TOKENS } from '../src/http/kit/tokens.ts'
import { ACCENT_COLOURS, DEFAULT_ACCENT } from '../src/model/accent.ts'
import tokens from './tokens.css' with { type: 'text' }

const SCHEMES = ['light', 'dark'] as const
/** The backgrounds of text and controls. */
const BACKGROUNDS = ['paper', 'raised', 'sunk']

const fallback = tokens.slice(0, tokens.indexOf('@supports'))
const schemes = tokens.slice(tokens.indexOf('@supports'), tokens.indexOf('@media'))

function pairOf(name: string): Record<(typeof SCHEMES)[number], string> {
  const match = schemes.match(new RegExp(`--${name}:\\s*light-dark\\((#\\w{6}), (#\\w{6})\\)`))
  return { light: match?.[1] ?? `no ${name}`, dark: match?.[2] ?? `no ${name}` }
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter! + 0.05) / (darker! + 0.05)
}

for (const scheme of SCHEMES) {
  describe(`in the ${scheme} scheme`, () => {
    const of = (name: string) => pairOf(name)[scheme]

    test.each(['ink', 'muted', 'danger'])(
      'text in %s has enough contrast on every background',
      (name) => {
        for (const background of BACKGROUNDS) {
          expect(contrast(of(name), of(background))).toBeGreaterThanOrEqual(4.5)
        }
      },
    )
    test('the outline of a control has enough contrast on every background', () => {
      for (const background of BACKGROUNDS) {
        expect(contrast(of('control'), of(background))).toBeGreaterThanOrEqual(3)
      }
    })
    test('text has enough contrast on a destructive button', () => {
      expect(contrast(of('on-danger'), of('danger'))).toBeGreaterThanOrEqual(4.5)
    })
    const accents = Object.values(ACCENT_COLOURS).map((pair) => pair[SCHEMES.indexOf(scheme)]!)
    test.each(accents)('the accent %s has enough contrast as text and behind text', (colour) => {
      for (const background of BACKGROUNDS) {
        expect(contrast(colour, of(background))).toBeGreaterThanOrEqual(4.5)
      }
      expect(contrast(of('on-accent'), colour)).toBeGreaterThanOrEqual(4.5)
    })
  })
}

test('a browser without light-dark() gets the values of the light scheme', () => {
  for (const name of [...BACKGROUNDS, 'line', 'control', 'ink', 'muted', 'danger', 'on-accent']) {
    expect(fallback).toContain(`--${name}: ${pairOf(name).light};`)
  }
})

test('each accent has its colours, below those of the root', () => {
  const [light, dark] = ACCENT_COLOURS[DEFAULT_ACCENT]
  expect(pairOf('accent')).toEqual({ light, dark })
  const [plain = '', schemed = ''] = TOKENS.slice(tokens.length).split('@supports')
  for (const [accent, [light, dark]] of Object.entries(ACCENT_COLOURS)) {
    expect(plain).toContain(`[data-accent="${accent}"] { --accent: ${light}; }`)
    expect(schemed).toContain(
      `[data-accent="${accent}"] { --accent: light-dark(${light}, ${dark}); }`,
    )
  }
})

test('backgrounds and text have the chosen colours', () => {
  expect(pairOf('paper')).toEqual({ light: '#fbfaf7', dark: '#151412' })
  expect(pairOf('raised')).toEqual({ light: '#ffffff', dark: '#1e1c19' })
  expect(pairOf('line')).toEqual({ light: '#e7e3da', dark: '#33302b' })
  expect(pairOf('ink')).toEqual({ light: '#1b1a17', dark: '#f1eee7' })
  expect(pairOf('muted')).toEqual({ light: '#6b675e', dark: '#a39e93' })
})
