/** Builds a site for each folder here with an index.html, and copies what a site uses as it is. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import initSqlJs from 'sql.js'
import { build } from 'vite'

const BUILT = ['tanstack-router', 'wouter', 'preact-iso', 'mithril', 'leaflet', 'three']
const out = (site) => `../out/${site}`

drawTiles('leaflet/public/tiles')
const CORNERS = [0, 0, 0, 2, 0, 0, 1, 1, 0]
const ON_TEXTURE = [0, 0, 1, 0, 0.5, 1]
writeFileSync('three/public/model/roof.bin', new Float32Array([...CORNERS, ...ON_TEXTURE]))
writeFileSync('three/public/model/tiles.png', png(64, [160, 60, 40]))
for (const site of BUILT) {
  await build({
    root: site,
    logLevel: 'warn',
    build: { outDir: `../${out(site)}`, emptyOutDir: true, assetsInlineLimit: 0 },
  })
}

const COPIED = {
  'swagger-ui': ['swagger-ui-dist', ['swagger-ui.css', 'swagger-ui-bundle.js']],
  htmx: ['htmx.org/dist', ['htmx.min.js']],
  'sql-js': ['sql.js/dist', ['sql-wasm.js', 'sql-wasm.wasm']],
}
for (const [site, [from, names]] of Object.entries(COPIED)) {
  cpSync(site, out(site), { recursive: true })
  for (const name of names) cpSync(`node_modules/${from}/${name}`, `${out(site)}/${name}`)
}

const SQL = await initSqlJs()
const database = new SQL.Database()
database.run(`CREATE TABLE birds (name TEXT, wings INTEGER);
INSERT INTO birds VALUES ('heron', 2), ('swan', 2), ('crane', 2)`)
writeFileSync(`${out('sql-js')}/birds.sqlite`, database.export())

/** Tiles of one colour each. */
function drawTiles(folder) {
  for (const [x, y] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]) {
    mkdirSync(`${folder}/1/${x}`, { recursive: true })
    writeFileSync(`${folder}/1/${x}/${y}.png`, png(256, [90 * x, 120, 90 * y]))
  }
}

function png(size, colour) {
  const row = Buffer.from([0, ...Array.from({ length: size }, () => colour).flat()])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2], 8)
  const chunks = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))],
    ['IEND', Buffer.alloc(0)],
  ]
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks.map(([name, data]) => chunk(name, data)),
  ])
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
