/** A minimal server, whose start shows how long Bun itself takes. */
Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  fetch: () => new Response('empty'),
})
