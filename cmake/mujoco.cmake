# Target mujoco, when it is there. Debian's own mujocoConfig.cmake asks for OpenGL and qhull headers that its package does not bring.
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
mark_as_advanced(MUJOCO_INCLUDE_DIR MUJOCO_LIBRARY)
if(MUJOCO_INCLUDE_DIR AND MUJOCO_LIBRARY AND NOT TARGET mujoco)
  add_library(mujoco UNKNOWN IMPORTED GLOBAL)
  set_target_properties(mujoco PROPERTIES IMPORTED_LOCATION ${MUJOCO_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MUJOCO_INCLUDE_DIR})
endif()
