// Runs the object store of s3-server.ts: Node lists folders in order, as the store needs it.
const S3rver = require('@20minutes/s3rver')

const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: process.argv[2],
})
server.run().then(({ port }) => console.log(port))
// It ends with the process that started it, in any way.
process.stdin.on('end', () => process.exit()).resume()
