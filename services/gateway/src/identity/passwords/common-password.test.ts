import { isCommonPassword } from "./common-password.ts";

describe("isCommonPassword", () => {
  test.each([
    "password1234",
    "Password1234",
    "ＰＡＳＳＷＯＲＤ1234",
    "passwordpassword",
    "qwerty123456",
    "1q2w3e4r5t6y",
    "123456789012",
    "123412341234",
    "iloveyou2024",
    "!!!dragon!!!",
    "Monkey-2024!!",
    "  password  1",
    " ".repeat(12),
    "x".repeat(1_024),
    "ababababababab",
    "😀".repeat(6),
  ])("refuses %j", (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  const rare = [
    "correct horse battery",
    "monkey 9281736455",
    "Zr8#kW2!pQ5v",
    "tiger kettle",
    "7305-1182-9946",
  ];
  test.each(rare)("accepts %j", (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
