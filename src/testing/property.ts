import fc from 'fast-check'

/**
 * Options of a property test with a fixed seed, so that it fails only after a change.
 * `PROPERTY_RUNS=20` multiplies the runs by 20, and `PROPERTY_SEED` selects other cases.
 */
export function runs(numRuns: number): { numRuns: number; seed: number } {
  const { PROPERTY_RUNS = '1', PROPERTY_SEED = '1' } = process.env
  return { numRuns: Math.ceil(numRuns * Number(PROPERTY_RUNS)), seed: Number(PROPERTY_SEED) }
}

/** Random text, and text that is known to break programs. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfffy', '\ufeff', '\u202e', '\u2028', '\x7f\x85'],
    ...['__proto__', 'constructor', 'toString', 'null', 'true', '0', '-1', '1e999', 'NaN'],
    ...['../..', '/etc/passwd', 'a/b', '~', '%00', '%2e%2e%2f', '\\', "'; DROP TABLE pages; --"],
    ...[
      '<script>',
      '</title>',
      '{{7*7}}',
      '$(1)',
      'sm_',
      'pg_',
      'up_',
      'ELIDED-BY-SERVICE-9-CHARS',
    ],
    ...['x'.repeat(300), 'é'.repeat(300), 'e\u0301', '😀'.repeat(100)],
  ),
)

/** Any JSON value, with keys such as `__proto__` that are special in JavaScript. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    fc.constantFrom(0, -0, 1e308, 2 ** 31, 2 ** 53, -1, 0.5),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
})).value

export { fc }
