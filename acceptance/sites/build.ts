/**
 * Builds the sites again from `sources` and writes `built`. Run it by hand: it installs the tools of
 * other people from the npm registry, which no test needs.
 *
 *   bin/bun acceptance/sites/build.ts [SITE…]
 */
import { cpSync, createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

const SOURCES = join(import.meta.dir, 'sources')
const BUILT = join(import.meta.dir, 'built')
/** What a tool is made of is not in what it writes. */
const NOT_IN_THE_SITE = '# Licenses of bundled dependencies'
/** Zips of the same files are the same bytes. */
const MTIME = new Date('2026-01-01T00:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'handbill-sites-'))
try {
  const wanted = process.argv.slice(2)
  for (const source of wanted.length > 0 ? wanted : readdirSync(SOURCES).sort()) {
    await buildSite(source)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Builds a source, which may write several sites into the folder `out` beside it. */
async function buildSite(source: string): Promise<void> {
  const root = join(folder, source)
  const out = join(root, 'out')
  const work = join(root, 'source')
  cpSync(join(SOURCES, source), work, { recursive: true })
  await npm(work, 'install', '--no-audit', '--no-fund', '--ignore-scripts')
  await npm(work, 'run', 'build')
  for (const site of readdirSync(out)) {
    await writeZip(join(out, site), join(BUILT, `${site}.zip`))
    await Bun.write(join(BUILT, `${site}.licences.txt`), licencesIn(work, site))
    process.stdout.write(`${site}\n`)
  }
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const child = Bun.spawn(['npm', ...args], { cwd, stdout: 'inherit', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}`)
}

interface Package {
  name: string
  version: string
  license: string
  /** The packages with code in the built sites: in all of them, or by the site. */
  bundled: string[] | Record<string, string[]>
}

function readPackage(path: string): Package {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
}

/** The licences of the packages with code in the built site. */
function licencesIn(work: string, site: string): string {
  const { bundled } = readPackage(work)
  const names = Array.isArray(bundled) ? bundled : bundled[site]!
  const parts = names.map((name) => {
    const path = join(work, 'node_modules', name)
    const { version, license } = readPackage(path)
    const files = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => /^licen[cs]e(?![a-z])/i.test(file.slice(path.length + 1)))
    // The Unlicense asks nobody to repeat it.
    if (files.length === 0 && license !== 'Unlicense') throw new Error(`${name} has no licence`)
    const texts = files.map((file) => readFileSync(file, 'utf8').split(NOT_IN_THE_SITE)[0]!.trim())
    return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`
  })
  return parts.join(`\n${'-'.repeat(80)}\n\n`)
}

async function writeZip(site: string, path: string): Promise<void> {
  const zip = new ZipFile()
  const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    zip.addFile(file, file.slice(site.length + 1), { mtime: MTIME, mode: 0o100644 })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}
