/** Documents that take a parser with quadratic time minutes: nesting, restarts, missing ends. */
export function attacks(sizeBytes: number): [name: string, html: Buffer][] {
  const seeds = [
    '<b a0><b a1>',
    '<div>',
    '<ul><li>',
    '<table><tr><td>',
    '<svg>',
    '<svg><div>',
    '<svg><title>',
    '<math><mi>',
    '<template>',
    '<select><option>',
    '<a href="',
    '<a b=c ',
    '<',
    '</',
    '<!',
    '<!-',
    '<!--',
    '<![CDATA[',
    '<?',
    '<script>',
    '<script><!--</script>',
    '<script></script>',
    '<title></titl>',
    '<style></styl',
    '<meta property=og:title>',
    '<title>&',
    '&#',
    '<form data-service>',
    '<form data-service></form>',
    '<form data-service><input name=a></form>',
    '<form data-service><fieldset data-label=a><input type=radio name=a>',
    '<fieldset>',
    '<fieldset data-label=a></fieldset>',
    '<input form=a name=a>',
    '<iframe srcdoc="<iframe srcdoc=',
    '<script>data-services',
  ]
  const documents: [string, string][] = seeds.map((seed) => [seed, repeat(seed, sizeBytes)])
  const half = sizeBytes / 2
  documents.push(
    ['one tag of many attributes', `<a ${repeat('b ', sizeBytes)}`],
    ['one attribute name', `<a ${repeat('b', sizeBytes)}`],
    ['one tag name', `<${repeat('b', sizeBytes)}`],
    ['slashes', `<a ${repeat('/', sizeBytes)}`],
    ['a comment of dashes', `<!--${repeat('-', sizeBytes)}`],
    ['a comment of false ends', `<!--${repeat('->', sizeBytes)}`],
    ['nested foreign content, then ends', repeat('<math><mi>', half) + repeat('</svg>', half)],
    ['escaped script', `<script><!--${repeat('<script>', sizeBytes)}`],
    ['white space in a title', `<title>${repeat(' ', sizeBytes)}x</title>`],
    ['white space after Service', `<script>Service${repeat(' ', sizeBytes)}x</script>`],
    ['white space after submit', `<script>Service.submit${repeat(' ', sizeBytes)}x</script>`],
    [
      'many unfinished calls',
      `<script>${repeat('window . Service . submit ', sizeBytes)}</script>`,
    ],
    ['document and white space', `<script>document${repeat('\n', sizeBytes)}</script>`],
    ['one handler', `<a onclick="${repeat('&#32;Service ', sizeBytes)}">`],
    ['a form of many fields', `<form data-service>${inputs(sizeBytes)}`],
    ['a form of many fields whose names are long', longNames(sizeBytes)],
    ['a field whose name never ends', `${FIELD}${repeat('n', sizeBytes)}">`],
    ['a field whose name is all entities', `${FIELD}${repeat('&amp;', sizeBytes)}">`],
    ['a label of white space', `${FIELD}a" data-label="${repeat(' &#32;\n', sizeBytes)}x">`],
    ['a form of many ids', numbered(sizeBytes, (n) => `<form data-service id=f${n}></form>`)],
    ['fields of many forms', numbered(sizeBytes, (n) => `<input form=f${n} name=n${n}>`)],
    ['a framed document of many forms', `<p srcdoc="${repeat('<form data-servic ', sizeBytes)}">`],
    ['many handlers', repeat('<a onclick="Service.submit" href="javascript:">', sizeBytes)],
  )
  return documents.map(([name, html]) => [name, Buffer.from(html)])
}

const FIELD = '<form data-service><input name="'

function inputs(size: number): string {
  return numbered(size, (n) => `<input name=n${n} data-label="Question ${n}">`)
}

function longNames(size: number): string {
  const long = 'n'.repeat(995)
  const fields = numbered(size, (n) => `<input name=${long}${n} data-label=${long}>`)
  return `<form data-service>${fields}`
}

function numbered(size: number, elementOf: (n: number) => string): string {
  const parts: string[] = []
  for (let n = 0, length = 0; length < size; n++) {
    parts.push(elementOf(n))
    length += parts[n]!.length
  }
  return parts.join('')
}

function repeat(seed: string, size: number): string {
  return seed.repeat(Math.ceil(size / seed.length)).slice(0, size)
}
