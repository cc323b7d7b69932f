/** Small sites as other programs write them, or as people write them by hand for one interface. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { png } from '../material.ts'

type Files = Record<string, string | Uint8Array>

/** A document whose module script shows what it has found. */
const shows = (title: string, script: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><p id="said">Waiting</p><script type="module">
const say = (text) => { document.getElementById('said').textContent = text }
${script}
</script></body></html>
`

/** A module with one function, `answer`, that returns 42. */
const WASM = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 10, 1, 6, 97, 110, 115],
  ...[119, 101, 114, 0, 0, 10, 6, 1, 4, 0, 65, 42, 11],
])

const GAME_DATA = new TextEncoder().encode('level '.repeat(500))

/** The loader unpacks `.unityweb` itself, and starts the framework from a blob, as Unity's does. */
const GAME: Files = {
  'index.html': `<!doctype html>
<html lang="en-us"><head><meta charset="utf-8"><title>Rocks</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="TemplateData/style.css"></head>
<body><canvas id="unity-canvas" width="96" height="60"></canvas><p id="said">Loading</p>
<script>
const script = document.createElement('script')
script.src = 'Build/rocks.loader.js'
script.onload = () => createUnityInstance(document.getElementById('unity-canvas'), {
  dataUrl: 'Build/rocks.data.unityweb',
  frameworkUrl: 'Build/rocks.framework.js.unityweb',
  codeUrl: 'Build/rocks.wasm',
  streamingAssetsUrl: 'StreamingAssets/levels.data.br',
}).then((text) => { document.getElementById('said').textContent = text })
document.body.append(script)
</script></body></html>
`,
  'TemplateData/style.css': '#unity-canvas { background: #231f20 }',
  'Build/rocks.loader.js': `const unpacked = async (url) => {
  const { body } = await fetch(url)
  return new Response(body.pipeThrough(new DecompressionStream('gzip')))
}
async function createUnityInstance(canvas, { dataUrl, frameworkUrl, codeUrl, streamingAssetsUrl }) {
  const code = await (await unpacked(frameworkUrl)).blob()
  await new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { onload: resolve, onerror: reject })
    script.src = URL.createObjectURL(new Blob([code], { type: 'application/javascript' }))
    document.body.append(script)
  })
  const data = new Uint8Array(await (await unpacked(dataUrl)).arrayBuffer())
  const { instance } = await WebAssembly.instantiateStreaming(fetch(codeUrl))
  const packed = await (await fetch(streamingAssetsUrl)).arrayBuffer()
  canvas.getContext('2d').fillRect(0, 0, 9, 9)
  return unityFramework(instance.exports.answer(), data.length, packed.byteLength)
}
`,
  'Build/rocks.framework.js.unityweb': gzipSync(
    'var unityFramework = (answer, size, packed) => ' +
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a script
      '`The answer is ${answer}, of ${size} bytes, ${packed} of them packed.`',
  ),
  'Build/rocks.data.unityweb': gzipSync(GAME_DATA),
  'Build/rocks.wasm': WASM,
  'StreamingAssets/levels.data.br': brotliCompressSync(GAME_DATA),
}

/** As Chrome saves a page “complete”: its files in a folder, its scripts as `.js.download`. */
const SAVED: Files = {
  'Heron - Birds of the lake.html': `<!DOCTYPE html>
<!-- saved from url=(0031)https://birds.example.com/heron -->
<html lang="en"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Heron</title>
<link rel="stylesheet" href="./Heron - Birds of the lake_files/main.css">
<script src="./Heron - Birds of the lake_files/main.js.download" defer=""></script></head>
<body><h1>Heron</h1><img src="./Heron - Birds of the lake_files/heron.png" alt="A heron">
<p id="said">It stands.</p></body></html>
`,
  'Heron - Birds of the lake_files/main.css': 'h1 { background: url("heron.png") }',
  'Heron - Birds of the lake_files/main.js.download': `document.getElementById('said').textContent = 'It flies at 40 km/h.'`,
  'Heron - Birds of the lake_files/heron.png': png(),
}

const XHTML: Files = {
  'index.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Book</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><p>A book in one chapter.</p><p><a href="chapter.xhtml">Chapter 1</a></p></body></html>
`,
  'chapter.xhtml': `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Chapter 1</title>
<meta name="viewport" content="width=device-width, initial-scale=1"/></head>
<body><p>The <b/>lake is <span id="said">calm</span>.</p><p><a href="index.html">Cover</a></p>
<script><![CDATA[
  if (1 < 2 && 3 > 2) document.getElementById('said').textContent = 'rough'
]]></script></body></html>
`,
}

const XSLT: Files = {
  'index.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>List</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><p>A list of birds.</p><p><a href="birds.xml">Birds</a></p></body></html>
`,
  'birds.xml': `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="birds.xsl"?>
<birds><bird>heron</bird><bird>swan</bird></birds>
`,
  'birds.xsl': `<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="html" doctype-system="about:legacy-compat"/>
<xsl:template match="/"><html lang="en"><head><title>Birds</title></head><body><ul>
<xsl:for-each select="birds/bird"><li>A <xsl:value-of select="."/></li></xsl:for-each>
</ul></body></html></xsl:template>
</xsl:stylesheet>
`,
}

const inWindows1252 = (text: string) =>
  Uint8Array.from(text, (letter) => {
    const code = ({ '’': 0x92, '–': 0x96, '€': 0x80 } as Record<string, number>)[letter]
    return code ?? letter.charCodeAt(0)
  })

/** As Word saves a “web page”: windows-1252, with its files in a folder. */
const WORD: Files = {
  'Bericht.htm': inWindows1252(`<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=windows-1252">
<meta name=ProgId content=Word.Document>
<meta name=viewport content="width=device-width, initial-scale=1">
<link rel=File-List href="Bericht-Dateien/filelist.xml">
<title>Bericht</title>
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings></o:OfficeDocumentSettings></xml><![endif]-->
<link rel=themeData href="Bericht-Dateien/themedata.thmx">
<style><!-- p.MsoNormal { margin: 0cm; font-family: "Calibri", sans-serif } --></style>
</head>
<body lang=DE>
<p class=MsoNormal>Die Größe – sie ist’s – kostet 20 €.<o:p></o:p></p>
<p class=MsoNormal><!--[if gte vml 1]><v:shape></v:shape><![endif]--><![if !vml]><img
width=8 height=8 src="Bericht-Dateien/image001.png" alt="Ein Bild"><![endif]></p>
</body>
</html>
`),
  'Bericht-Dateien/filelist.xml':
    inWindows1252(`<xml xmlns:o="urn:schemas-microsoft-com:office:office">
 <o:MainFile HRef="../Bericht.htm"/>
 <o:File HRef="image001.png"/>
</xml>`),
  'Bericht-Dateien/themedata.thmx': new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0]),
  'Bericht-Dateien/image001.png': png(),
}

const ONE_PAGE = {
  indexeddb: shows(
    'IndexedDB',
    `const opened = indexedDB.open('boats', 1)
opened.onupgradeneeded = () => opened.result.createObjectStore('boats')
opened.onsuccess = () => {
  const store = opened.result.transaction('boats', 'readwrite').objectStore('boats')
  store.put('ketch', 1).onsuccess = () => {
    store.get(1).onsuccess = ({ target }) => say('The boat is a ' + target.result + '.')
  }
}`,
  ),
  opfs: shows(
    'OPFS',
    `const root = await navigator.storage.getDirectory()
const file = await root.getFileHandle('boat.txt', { create: true })
const writer = await file.createWritable()
await writer.write('sloop')
await writer.close()
say('The file says ' + await (await file.getFile()).text() + '.')`,
  ),
  'cache-storage': shows(
    'CacheStorage',
    `const cache = await caches.open('boats')
await cache.put('/kept', new Response('yawl'))
say('The cache keeps a ' + await (await caches.match('/kept')).text() + '.')`,
  ),
  'web-locks': shows(
    'Web Locks',
    `const order = []
await Promise.all(['first', 'second'].map((name) => navigator.locks.request('pier', async () => {
  order.push(name)
})))
say('At the pier: ' + order.join(', ') + '.')`,
  ),
}

export const MADE: Record<string, Files> = {
  unity: GAME,
  'saved-page': SAVED,
  xhtml: XHTML,
  xslt: XSLT,
  word: WORD,
  ...Object.fromEntries(
    Object.entries(ONE_PAGE).map(([name, html]) => [name, { 'index.html': html }]),
  ),
  'shared-memory': {
    'index.html': shows(
      'Shared memory',
      `const memory = new SharedArrayBuffer(4)
const worker = new Worker('add.js')
worker.onmessage = () => say('Together they count ' + new Int32Array(memory)[0] + '.')
worker.postMessage(memory)`,
    ),
    'add.js': `onmessage = ({ data }) => {
  const numbers = new Int32Array(data)
  for (let at = 0; at < 9; at++) Atomics.add(numbers, 0, 3)
  postMessage('done')
}`,
    _headers: `/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
`,
  },
}
