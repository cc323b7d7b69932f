/** `import text from './x.md' with { type: 'text' }` gives the file as text. */
declare module '*.md' {
  const text: string
  export default text
}
