import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** The client as one module, for programs and browsers. */
export async function buildClient(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, 'src/client/index.ts')],
    target: 'browser',
    format: 'esm',
  })
  return outputs[0]!.text()
}

/**
 * The client's command line as one file for Node.js, which needs no package.
 *
 * @param ownUrl the server that it asks by itself; null for none
 */
export async function buildCommandLine(ownUrl: string | null): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, 'src/client-main.ts')],
    target: 'node',
    format: 'cjs',
    minify: { whitespace: true, syntax: true },
    define: {
      OWN_URL: ownUrl === null ? 'undefined' : JSON.stringify(ownUrl),
      // It would be the path of the build.
      'import.meta.url': 'undefined',
    },
  })
  // `require` is made anew: Node.js reads a file without an extension as CommonJS in one folder and
  // as an ES module in another, by the package.json above it. V8 compiles a function in parentheses
  // at once; an arrow function it reads twice.
  return `#!/usr/bin/env node
import('node:module').then((function ({ createRequire }) {
const require = createRequire(process.cwd() + '/')
${await outputs[0]!.text()}
}))`
}
