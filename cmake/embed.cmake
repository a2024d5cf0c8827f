# Makes a C source of a text: cmake -DINPUT=page.css -DOUTPUT=page_css.c -DNAME=dcpn_page_css -P embed.cmake
# The source defines const char NAME[], ended by a 0.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
  "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0x00};\n")
