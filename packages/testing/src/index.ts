// What tests of services and packages share.
export { createAuthority, issueCertificate } from "./certificate-authority.ts";
