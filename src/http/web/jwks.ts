import type { Approvals } from '../../features/approvals/index.ts'

/** The public keys by which anybody verifies the records that this server signs. */
export async function jwks({ publicKeys }: Pick<Approvals, 'publicKeys'>): Promise<Response> {
  return new Response(JSON.stringify(await publicKeys()), {
    headers: {
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}
