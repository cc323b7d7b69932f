export default { output: 'export', images: { unoptimized: true } }
