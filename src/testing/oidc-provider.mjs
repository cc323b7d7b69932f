// Runs the provider of oidc-provider.ts: a certified implementation, which asks for a login and a
// consent on pages of its own. Whoever signs in has the address that they give as their login.
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const [redirectUri, clientSecret] = process.argv.slice(2)
const server = createServer((request, response) => provider.callback()(request, response))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()

const provider = new Provider(`http://localhost:${port}`, {
  clients: [
    {
      client_id: 'handbill',
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
  }),
  cookies: { keys: ['for tests'] },
})
console.log(port)
// It ends with the process that started it, in any way.
process.stdin.on('end', () => process.exit()).resume()
