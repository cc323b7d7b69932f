/**
 * `bin/bun build/audit.ts` checks our dependencies: licences of the packages that run, packages
 * with install scripts, addresses in the lockfile, and known vulnerabilities if npm's advisory
 * service answers. It also searches the tree for secrets.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')

/** Licences under which the packages may be shipped with the program. */
const LICENCES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'OFL-1.1', 'Unlicense'],
])
/**
 * `bun` downloads its binary again unless npm brought it; `bin/bun` finds the one of npm itself.
 */
const MAY_HAVE_SCRIPTS = new Set(['node_modules/bun'])
/** Keys made for tests, which open nothing. */
const TEST_KEYS = /^(?:acceptance\/fixtures|src\/platform\/fetch\/testing)\/|\.test\.ts$/
const SECRETS =
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bsm_[0-9A-Za-z]{40}\b|\bnpm_[0-9A-Za-z]{36}\b/

interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  resolved?: string
  hasInstallScript?: boolean
}

const findings = [...packageFindings(), ...(await secretFindings()), ...(await advisoryFindings())]
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1

function packageFindings(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const packages = Object.entries<LockedPackage>(lock.packages).filter(([path]) => path !== '')
  return packages.flatMap(([path, { license = 'none', dev, resolved, hasInstallScript }]) => [
    ...(dev || LICENCES.has(license) ? [] : [`${path} has the licence ${license}: not allowed`]),
    ...(resolved === undefined ? [] : [`${path} names an address in package-lock.json`]),
    ...(hasInstallScript && !dev && !MAY_HAVE_SCRIPTS.has(path)
      ? [`${path} runs a script when it is installed`]
      : []),
  ])
}

async function secretFindings(): Promise<string[]> {
  const files = (await run(['git', 'ls-files', '-z'])).stdout.split('\0').filter(Boolean)
  return files.flatMap((file) => {
    if (TEST_KEYS.test(file)) return []
    return SECRETS.test(readFileSync(join(root, file), 'latin1')) ? [`${file} holds a secret`] : []
  })
}

/** Known vulnerabilities of the packages that run, from high upward. */
async function advisoryFindings(): Promise<string[]> {
  const { stdout } = await run(['npm', 'audit', '--omit=dev', '--audit-level=high', '--json'])
  const report = parsed(stdout)
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

function parsed(text: string): AuditReport | null {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return null
  }
}

async function run(words: string[]) {
  const child = Bun.spawn(words, { cwd: root, stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' })
  return { stdout: await new Response(child.stdout).text(), code: await child.exited }
}
