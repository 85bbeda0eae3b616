// Images of few bytes that are large once decoded: 49,999,041 pixels, just below the setting's default.
import { inflateSync } from "node:zlib";
import sharp from "sharp";

const SIDE = 7_071;

export async function progressiveJpeg(): Promise<Buffer> {
  return await blank().jpeg({ progressive: true }).toBuffer();
}

export async function wideWebp(): Promise<Buffer> {
  return await blank().webp({ effort: 0 }).toBuffer();
}

/** 400 MB of 16-bit RGBA, rotated by its EXIF orientation. */
export async function deepRotatedPng(): Promise<Buffer> {
  const deep = sharp({ create: { width: SIDE, height: SIDE, channels: 4, background: "#123456" } });
  return await deep.toColourspace("rgb16").withMetadata({ orientation: 6 }).png().toBuffer();
}

/**
 * 1,345 bytes that take 1 GB to decode. Made by sharp in one colour and quality 1; it is a constant because making it takes
 * seconds.
 */
export function wideAvif(): Buffer {
  return inflateSync(Buffer.from(WIDE_AVIF.join(""), "base64"));
}

const WIDE_AVIF = [
  "eNpjYGCQSSupLEgsy0xjAILczDRDEDs3MxHEv5abWpLIAAGKGSk5RVA2Q0FmcgkDGlDKzMlPBjFcHBgYgRAEfkFpBhZ3IKGcmZkH",
  "tgYsKgrkpDJBeYllBoYgJl9BZkkuXElYZkFRAZC2yCxIzgfSPIllhs6N9mBNIpnFBakQw6XnQzCDQEFmRSZIhJmDgwNIiWUW5MLc",
  "D3QScyMTM9Ap/rkpiSVCDFxc9p/NbXc+myBwIdNoG4eA/JOjnPf//390/kADw6bzp7S+S1aZ/22c9WrmpteBWvG8ZwQUyzPmbbjA",
  "uYoprHjCqQXae/77TPpuKc3WdH9dg+IBc1mVWwni8xguzNfhvey/kcvwo3qfR/TqA/G//Y74evb4TROTuPa5XmZt2fYtN7ky7oRb",
  "7V64VS/TJHe9Nnf48RmdW3p3qh/alcEwZ9bDAKbAc7/ur1vlJ7LWa/qxrDV81iWcvlEtcx8b+5e27Fa/Kjpp81HbXe7v957jKgnq",
  "svjNv0i7+3nB0hnVKG4OyfznwXVpyu9NdstLdB8cfGnrvPLx7ki5kMCH/6RSpjza4si/uGT/Jlem/AMm4ftFr1VtvjQj9KZB9vHE",
  "i5X6szxsjc+ffS94a/eJ3V5dV7Yo2AY86v2zZ6J7ZGR+IPfME2ZmfIZ3nk98kRKkf9Mzcs2lJ+crFiJZ3rfnX4/Onh+K3zd8+9tx",
  "R/d8dd8vvtrIb7/iD/sZHlyUedypa4O1mFWPUXa07p34618cjD88j3+mWHZ/y7P1su7zmQX6u0+9SYtWdkqo56sLeq50fdmm46U8",
  "80pkfGY/5l7jc9FafTHvy+dsPMdOcE+d7V/w0v18hdcWPeuK09+yLPM72+ZeuvLJNCs5U2f5lP7b967/LuF+syz57u9T76LPn9IU",
  "Onn4TG1YznT924XHp3fKvPXtza8UWik3KfnK7WPsL7p3pMvevBCwwm6LS8xhObbXrb+XqjckFhQekhL/NHP+pE63B1bJd/W1JzlY",
  "VpdlZmqEGdQJTs8+7vJdtDJgpPt/ziD2/5M/NPO5EgCefliq",
];

function blank() {
  return sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: "#123456" } });
}
