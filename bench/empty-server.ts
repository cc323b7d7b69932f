/** The least that a server on Bun does: its start is what Bun itself takes. */
Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  fetch: () => new Response('empty'),
})
