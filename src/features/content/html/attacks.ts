/** Documents that take a careless parser minutes: nesting, restarts, unclosed everything. */
export function attacks(size_bytes: number): [name: string, html: Buffer][] {
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
  ]
  const documents: [string, string][] = seeds.map((seed) => [seed, repeat(seed, size_bytes)])
  const half = size_bytes / 2
  documents.push(
    ['one tag of many attributes', `<a ${repeat('b ', size_bytes)}`],
    ['one attribute name', `<a ${repeat('b', size_bytes)}`],
    ['one tag name', `<${repeat('b', size_bytes)}`],
    ['slashes', `<a ${repeat('/', size_bytes)}`],
    ['a comment of dashes', `<!--${repeat('-', size_bytes)}`],
    ['a comment of ends that are none', `<!--${repeat('->', size_bytes)}`],
    ['nested foreign content, then ends', repeat('<math><mi>', half) + repeat('</svg>', half)],
    ['escaped script', `<script><!--${repeat('<script>', size_bytes)}`],
    ['white space in a title', `<title>${repeat(' ', size_bytes)}x</title>`],
    ['white space after Service', `<script>Service${repeat(' ', size_bytes)}x</script>`],
    ['white space after submit', `<script>Service.submit${repeat(' ', size_bytes)}x</script>`],
    ['many calls begun', `<script>${repeat('window . Service . submit ', size_bytes)}</script>`],
    ['document and white space', `<script>document${repeat('\n', size_bytes)}</script>`],
    ['one handler', `<a onclick="${repeat('&#32;Service ', size_bytes)}">`],
    ['many handlers', repeat('<a onclick="Service.submit" href="javascript:">', size_bytes)],
  )
  return documents.map(([name, html]) => [name, Buffer.from(html)])
}

function repeat(seed: string, size: number): string {
  return seed.repeat(Math.ceil(size / seed.length)).slice(0, size)
}
