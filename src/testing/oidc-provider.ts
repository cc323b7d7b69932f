import { join } from 'node:path'

const PROGRAM = join(import.meta.dir, 'oidc-provider.mjs')
const CLIENT_SECRET = 'a-secret-of-the-tests'

/** A real OpenID Connect provider on the loopback, for the server at a base URL. */
export async function startOidcProvider(baseUrl: string) {
  const redirectUri = `${baseUrl}/app/sign-in/sso/callback`
  const child = Bun.spawn(['node', PROGRAM, redirectUri, CLIENT_SECRET], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  // Held until `close`: the provider ends with it.
  const { stdin } = child
  const { value } = await child.stdout.getReader().read()
  // On another site than the server, as usual for providers, so that cookies and origins differ.
  const issuer = `http://localhost:${Number(new TextDecoder().decode(value))}`

  return {
    issuer,
    /** The settings of a server that uses it. */
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'handbill',
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Example Login',
    },
    async close() {
      stdin.end()
      child.kill()
      await child.exited
    },
  }
}
export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>
