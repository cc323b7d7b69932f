/** What no output may have in it. */
export const SECRET = 'S3cr3tOfTheTests'
/** Where nothing listens. */
export const NOBODY = '127.0.0.1:1'
export const S3 = {
  S3_BUCKET: 'pages',
  S3_ENDPOINT: `http://${NOBODY}`,
  S3_REGION: 'auto',
  S3_ACCESS_KEY_ID: SECRET,
  S3_SECRET_ACCESS_KEY: SECRET,
}
